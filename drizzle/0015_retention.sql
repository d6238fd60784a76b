CREATE TABLE "legal_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid,
	"document_id" uuid,
	"reason" text NOT NULL,
	"set_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone,
	"released_by" text,
	"release_reason" text,
	CONSTRAINT "legal_holds_target" CHECK (num_nonnulls("legal_holds"."batch_id", "legal_holds"."document_id") <= 1),
	CONSTRAINT "legal_holds_released" CHECK (num_nonnulls("legal_holds"."released_at", "legal_holds"."released_by", "legal_holds"."release_reason") in (0, 3))
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "expired" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "entries_expired" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "retention_days" integer;--> statement-breakpoint
ALTER TABLE "legal_holds" ADD CONSTRAINT "legal_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "legal_holds_workspace" ON "legal_holds" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "legal_holds_active" ON "legal_holds" USING btree ("workspace_id") WHERE "legal_holds"."released_at" is null;--> statement-breakpoint
CREATE INDEX "batch_items_document" ON "batch_items" USING btree ("document_id") WHERE "batch_items"."document_id" is not null;--> statement-breakpoint
CREATE INDEX "dead_letters_task" ON "dead_letters" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "deliveries_ingestion" ON "deliveries" USING btree ("ingestion_id");
--> statement-breakpoint

-- A legal hold is enforced here, so that no code and no session can delete what it protects. Setting one waits for
-- deletions in progress in the workspace; deletions that start later see it.
CREATE FUNCTION lock_holds(workspace uuid, exclusively boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE key bigint := hashtextextended('legal-hold ' || workspace::text, 0);
BEGIN
  IF exclusively THEN PERFORM pg_advisory_xact_lock(key); ELSE PERFORM pg_advisory_xact_lock_shared(key); END IF;
END $$;
--> statement-breakpoint

-- Whether a hold covers a document: its own, one of a container around it, or one of its batch or workspace.
CREATE FUNCTION is_held(workspace uuid, document uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM legal_holds h WHERE h.workspace_id = workspace AND h.released_at IS NULL) THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    WITH RECURSIVE line AS (
      SELECT d.id, d.parent_id, d.batch_id FROM documents d WHERE d.id = document
      UNION ALL
      SELECT d.id, d.parent_id, d.batch_id FROM documents d JOIN line l ON d.id = l.parent_id)
    SELECT FROM legal_holds h
     WHERE h.workspace_id = workspace AND h.released_at IS NULL
       AND (h.document_id IS NULL OR h.document_id IN (SELECT id FROM line))
       AND (h.batch_id IS NULL OR h.batch_id IN (SELECT batch_id FROM line)));
END $$;
--> statement-breakpoint

CREATE FUNCTION refuse_held() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid;
  document uuid;
  held boolean;
BEGIN
  CASE TG_ARGV[0]
    WHEN 'workspace' THEN workspace := OLD.id;
    WHEN 'batch' THEN workspace := OLD.workspace_id;
    WHEN 'document' THEN workspace := OLD.workspace_id; document := OLD.id;
    WHEN 'of document' THEN workspace := OLD.workspace_id; document := OLD.document_id;
    WHEN 'of ingestion' THEN
      SELECT i.workspace_id, i.document_id INTO workspace, document FROM ingestions i WHERE i.id = OLD.ingestion_id;
      -- Work that is not on a document may name its workspace itself.
      IF workspace IS NULL THEN workspace := (to_jsonb(OLD)->>'workspace_id')::uuid; END IF;
    WHEN 'item' THEN
      SELECT coalesce(d.workspace_id, b.workspace_id), d.id INTO workspace, document
        FROM (SELECT OLD.container_id, OLD.batch_id) AS item(container_id, batch_id)
        LEFT JOIN documents d ON d.id = item.container_id LEFT JOIN batches b ON b.id = item.batch_id;
  END CASE;
  IF workspace IS NULL THEN RETURN OLD; END IF;
  PERFORM lock_holds(workspace, false);
  IF document IS NULL THEN
    -- A workspace is covered by any hold in it, a batch and its items by their own or the workspace's.
    held := EXISTS (SELECT FROM legal_holds h WHERE h.workspace_id = workspace AND h.released_at IS NULL
      AND (TG_ARGV[0] = 'workspace' OR (h.document_id IS NULL AND
        (h.batch_id IS NULL OR h.batch_id::text = CASE TG_ARGV[0] WHEN 'batch' THEN to_jsonb(OLD)->>'id' ELSE to_jsonb(OLD)->>'batch_id' END))));
  ELSE
    held := is_held(workspace, document);
  END IF;
  IF held THEN
    RAISE EXCEPTION 'A legal hold protects % of workspace %', TG_TABLE_NAME, workspace USING ERRCODE = 'LH001';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "workspaces" FOR EACH ROW EXECUTE FUNCTION refuse_held('workspace');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "batches" FOR EACH ROW EXECUTE FUNCTION refuse_held('batch');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "batch_items" FOR EACH ROW EXECUTE FUNCTION refuse_held('item');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "documents" FOR EACH ROW EXECUTE FUNCTION refuse_held('document');
--> statement-breakpoint
-- Marking as deleted, and whatever would move a document or its bytes out of the reach of a hold.
CREATE TRIGGER legal_hold_on_update
  BEFORE UPDATE OF id, workspace_id, batch_id, parent_id, storage_key, sha256, deleted_at ON "documents"
  FOR EACH ROW WHEN (
    (OLD.id, OLD.workspace_id, OLD.batch_id, OLD.parent_id, OLD.storage_key, OLD.sha256, OLD.deleted_at) IS DISTINCT FROM
    (NEW.id, NEW.workspace_id, NEW.batch_id, NEW.parent_id, NEW.storage_key, NEW.sha256, NEW.deleted_at))
  EXECUTE FUNCTION refuse_held('document');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "ingestions" FOR EACH ROW EXECUTE FUNCTION refuse_held('of document');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "deliveries" FOR EACH ROW EXECUTE FUNCTION refuse_held('of document');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "tasks" FOR EACH ROW EXECUTE FUNCTION refuse_held('of ingestion');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "dead_letters" FOR EACH ROW EXECUTE FUNCTION refuse_held('of ingestion');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION refuse_held('of ingestion');
--> statement-breakpoint

CREATE FUNCTION refuse_truncate_while_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM legal_holds WHERE released_at IS NULL) THEN
    RAISE EXCEPTION 'A legal hold is active: % cannot be truncated', TG_TABLE_NAME USING ERRCODE = 'LH001';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER legal_hold_on_truncate BEFORE TRUNCATE ON "documents" EXECUTE FUNCTION refuse_truncate_while_held();
--> statement-breakpoint
CREATE TRIGGER legal_hold_on_truncate BEFORE TRUNCATE ON "ingestions" EXECUTE FUNCTION refuse_truncate_while_held();
--> statement-breakpoint
CREATE TRIGGER legal_hold_on_truncate BEFORE TRUNCATE ON "tasks" EXECUTE FUNCTION refuse_truncate_while_held();
--> statement-breakpoint
CREATE TRIGGER legal_hold_on_truncate BEFORE TRUNCATE ON "events" EXECUTE FUNCTION refuse_truncate_while_held();
--> statement-breakpoint
CREATE TRIGGER legal_hold_on_truncate BEFORE TRUNCATE ON "legal_holds" EXECUTE FUNCTION refuse_truncate_while_held();
--> statement-breakpoint

-- A hold is set once, released once and never deleted.
CREATE FUNCTION guard_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM lock_holds(NEW.workspace_id, true);
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' OR OLD.released_at IS NOT NULL OR
    (NEW.id, NEW.workspace_id, NEW.batch_id, NEW.document_id, NEW.reason, NEW.set_by, NEW.created_at) IS DISTINCT FROM
    (OLD.id, OLD.workspace_id, OLD.batch_id, OLD.document_id, OLD.reason, OLD.set_by, OLD.created_at) THEN
    RAISE EXCEPTION 'A legal hold can only be released, once' USING ERRCODE = 'LH001';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER guard_holds BEFORE INSERT OR UPDATE OR DELETE ON "legal_holds" FOR EACH ROW EXECUTE FUNCTION guard_holds();
