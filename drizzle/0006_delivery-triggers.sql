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
