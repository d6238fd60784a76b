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
