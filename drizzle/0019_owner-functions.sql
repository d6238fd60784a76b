-- What only the owner of the schema may do, for the run-time user, who owns nothing.
ALTER FUNCTION ensure_event_partitions(integer) SECURITY DEFINER SET search_path = public, pg_temp;
--> statement-breakpoint

-- Triggers do not see a DROP TABLE, so holds are checked here, and none can be set meanwhile.
CREATE FUNCTION drop_event_partition(partition text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held boolean;
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
     WHERE h.inhparent = 'events'::regclass AND c.relname = partition
       AND partition ~ '^events_[0-9]{8}$' AND to_date(right(partition, 8), 'YYYYMMDD') < current_date - 1
  ) THEN
    RAISE EXCEPTION '% is not a partition of past events', partition;
  END IF;
  LOCK TABLE legal_holds IN SHARE MODE;
  EXECUTE format(
    'SELECT EXISTS (SELECT FROM legal_holds h
       JOIN ingestions i ON i.workspace_id = h.workspace_id JOIN %I e ON e.ingestion_id = i.id
      WHERE h.released_at IS NULL AND is_held(i.workspace_id, i.document_id))', partition) INTO held;
  IF held THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE %I', partition);
  RETURN true;
END $$;
--> statement-breakpoint

CREATE FUNCTION refresh_statistics(view text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF view NOT IN ('stage_statistics', 'quality_distribution') THEN
    RAISE EXCEPTION 'There are no statistics named %', view;
  END IF;
  EXECUTE format('REFRESH MATERIALIZED VIEW CONCURRENTLY %I', view);
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION ensure_event_partitions(integer), drop_event_partition(text), refresh_statistics(text) FROM PUBLIC;
--> statement-breakpoint

-- The audit log only grows. Rows leave it when their retention ends, through the function alone.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('millrace.purging_audit', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE FUNCTION purge_audit_log(keep interval, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  purged integer;
BEGIN
  IF keep < interval '1 day' THEN
    RAISE EXCEPTION 'The audit log is kept for at least a day';
  END IF;
  PERFORM set_config('millrace.purging_audit', 'on', true);
  DELETE FROM audit_log WHERE id = ANY (ARRAY(
    SELECT id FROM audit_log WHERE at < now() - keep ORDER BY at LIMIT most));
  GET DIAGNOSTICS purged = ROW_COUNT;
  PERFORM set_config('millrace.purging_audit', 'off', true);
  RETURN purged;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION purge_audit_log(interval, integer) FROM PUBLIC;
