-- What the schema language cannot say: partitions, triggers, storage settings.

-- Events: one partition a day, made ahead of time; the default one catches what comes before it exists.
CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;
--> statement-breakpoint
CREATE FUNCTION ensure_event_partitions(days_ahead integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  first date := (now() AT TIME ZONE 'UTC')::date + 1;
  made integer := 0;
  day date;
  name text;
BEGIN
  FOR day IN SELECT first + n FROM generate_series(0, days_ahead - 1) AS n LOOP
    name := 'events_' || to_char(day, 'YYYYMMDD');
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
        name, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
      made := made + 1;
    END IF;
  END LOOP;
  RETURN made;
END $$;
--> statement-breakpoint
SELECT ensure_event_partitions(3);
--> statement-breakpoint

-- Terminal is final, and the fencing token never goes back. The conditions keep both off the hot path.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% % is final or would lose its fence: %', TG_TABLE_NAME, OLD.id, TG_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER tasks_terminal_is_final BEFORE UPDATE ON "tasks"
  FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER tasks_epoch_only_grows BEFORE UPDATE ON "tasks"
  FOR EACH ROW WHEN (NEW.epoch < OLD.epoch) EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ingestions_terminal_is_final BEFORE UPDATE ON "ingestions"
  FOR EACH ROW WHEN (OLD.status <> 'in-progress' AND
    (NEW.status, NEW.completed_at) IS DISTINCT FROM (OLD.status, OLD.completed_at))
  EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- What became of an ingestion is carried to its document, if it is still the document's latest.
CREATE FUNCTION update_document_from_ingestion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents
     SET structured_data = NEW.structured_data,
         needs_human_review = (NEW.status = 'failed' OR NOT coalesce(NEW.valid_structured_data, true)),
         updated_at = now()
   WHERE id = NEW.document_id AND ingestion_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER update_document_from_ingestion AFTER UPDATE OF status ON "ingestions"
  FOR EACH ROW WHEN (OLD.status = 'in-progress' AND NEW.status <> 'in-progress')
  EXECUTE FUNCTION update_document_from_ingestion();
--> statement-breakpoint

-- The hot table: room for updates in place, vacuumed by rows changed and not by share of the table.
ALTER TABLE "tasks" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
