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
--> statement-breakpoint

-- Endpoints hear of what happens from now on.
INSERT INTO "event_readers" ("name", "xid", "event_id") VALUES ('webhooks', pg_snapshot_xmin(pg_current_snapshot()), 0);
--> statement-breakpoint

-- A delivery goes where its task goes. What the manager said is written by the stage, and so is a good end.
CREATE FUNCTION update_delivery_from_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries
     SET state = CASE WHEN NEW.state = 'running' THEN 'processing'
                      WHEN NEW.state <> 'ready' THEN 'ended'
                      WHEN NEW.not_before > now() THEN 'waiting'
                      ELSE 'queued' END,
         outcome = CASE WHEN NEW.state = 'cancelled' THEN 'cancelled'
                        WHEN NEW.state = 'dead' AND NEW.last_error->>'code' = 'DELIVERY_REJECTED' THEN 'rejected'
                        WHEN NEW.state = 'dead' THEN 'failed'
                        WHEN outcome = 'submitted' THEN outcome
                        ELSE 'none' END,
         reason_code = CASE WHEN NEW.state IN ('ready', 'dead') THEN NEW.last_error->>'code' ELSE reason_code END,
         reason = CASE WHEN NEW.state IN ('ready', 'dead') THEN NEW.last_error->>'message' ELSE reason END,
         not_before = CASE WHEN NEW.state = 'ready' THEN NEW.not_before ELSE not_before END,
         entered_at = NULL,
         updated_at = now(),
         ended_at = CASE WHEN NEW.state IN ('dead', 'cancelled') THEN now() END
   WHERE task_id = NEW.id AND state <> 'ended';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER update_delivery_from_task AFTER UPDATE OF state ON "tasks"
  FOR EACH ROW WHEN (NEW.stage = 'deliver' AND NEW.state <> 'done' AND NEW.state IS DISTINCT FROM OLD.state)
  EXECUTE FUNCTION update_delivery_from_task();
--> statement-breakpoint

-- Every word of the manager is a fact, and so is every end.
CREATE FUNCTION append_delivery_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, ingestion_id, data) VALUES ('DELIVERY_CHANGED', NEW.ingestion_id, jsonb_strip_nulls(jsonb_build_object(
    'deliveryId', NEW.id, 'documentId', NEW.document_id, 'destinationId', NEW.destination_id, 'status', NEW.status,
    'code', NEW.reason_code, 'externalId', NEW.external_id)));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER delivery_made AFTER INSERT ON "deliveries" FOR EACH ROW EXECUTE FUNCTION append_delivery_event();
--> statement-breakpoint
CREATE TRIGGER delivery_changed AFTER UPDATE ON "deliveries"
  FOR EACH ROW WHEN (NEW.outcome IS DISTINCT FROM OLD.outcome AND NEW.outcome <> 'none')
  EXECUTE FUNCTION append_delivery_event();

--> statement-breakpoint

-- What operators look at without asking the big tables. The unique indexes let both be refreshed while they are read.

CREATE MATERIALIZED VIEW "stage_statistics" AS
SELECT data->>'stage' AS stage,
       data->>'outcome' AS outcome,
       count(*) AS runs,
       avg((data->>'ms')::float8) AS mean_ms,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY (data->>'ms')::float8) AS p50_ms,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY (data->>'ms')::float8) AS p95_ms,
       max((data->>'ms')::float8) AS max_ms
  FROM events
 WHERE type = 'TASK_FINISHED' AND at > now() - interval '1 day' AND data ? 'ms'
 GROUP BY 1, 2;
--> statement-breakpoint
CREATE UNIQUE INDEX "stage_statistics_key" ON "stage_statistics" (stage, outcome);
--> statement-breakpoint
CREATE MATERIALIZED VIEW "quality_distribution" AS
SELECT d.workspace_id,
       (i.completed_at AT TIME ZONE 'UTC')::date AS day,
       least(9, floor(i.transcription_quality * 10))::integer AS tenth,
       count(*) AS documents
  FROM ingestions i
  JOIN documents d ON d.id = i.document_id
 WHERE i.transcription_quality IS NOT NULL AND i.completed_at > now() - interval '30 days' AND d.deleted_at IS NULL
 GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE UNIQUE INDEX "quality_distribution_key" ON "quality_distribution" (workspace_id, day, tenth);
