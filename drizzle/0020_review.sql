CREATE TABLE "review_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"ingestion_id" uuid NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"revision" integer NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"ingestion_id" uuid NOT NULL,
	"state" text NOT NULL,
	"document_type" text,
	"reasons" text[] NOT NULL,
	"fields" text[] NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"assignee" text,
	"claimed_until" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"settled_by" text,
	"rejection" text
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "sent_revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "destinations" ADD COLUMN "deliver_doubtful" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "machine_data" jsonb;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "review_changes" ADD CONSTRAINT "review_changes_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_changes_document" ON "review_changes" USING btree ("document_id","id");--> statement-breakpoint
CREATE INDEX "reviews_open" ON "reviews" USING btree ("workspace_id","priority" DESC NULLS LAST,"opened_at","document_id") WHERE "reviews"."state" = 'open';--> statement-breakpoint
CREATE INDEX "reviews_next" ON "reviews" USING btree ("priority" DESC NULLS LAST,"opened_at","document_id") WHERE "reviews"."state" = 'open';--> statement-breakpoint
-- The fields that are in doubt, by the verdict of the gate.
CREATE FUNCTION doubtful_fields(verdict jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(key ORDER BY key), '{}')
    FROM jsonb_each(CASE jsonb_typeof(verdict->'fields') WHEN 'object' THEN verdict->'fields' ELSE '{}' END)
   WHERE value->'ok' = 'false'
$$;
--> statement-breakpoint
CREATE FUNCTION doubts(verdict jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(reason), '{}')
    FROM jsonb_array_elements_text(CASE jsonb_typeof(verdict->'reasons') WHEN 'array' THEN verdict->'reasons' ELSE '[]' END) AS reason
$$;
--> statement-breakpoint
-- A completed document whose values are in doubt waits for a person.
CREATE FUNCTION open_review() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reviews (document_id, workspace_id, ingestion_id, state, document_type, reasons, fields)
  VALUES (NEW.document_id, NEW.workspace_id, NEW.id, 'open', NEW.document_type, doubts(NEW.verdict), doubtful_fields(NEW.verdict))
  ON CONFLICT (document_id) DO UPDATE
    SET ingestion_id = excluded.ingestion_id, state = 'open', document_type = excluded.document_type,
        reasons = excluded.reasons, fields = excluded.fields, opened_at = now(), assignee = NULL, claimed_until = NULL,
        settled_at = NULL, settled_by = NULL, rejection = NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER open_review AFTER UPDATE OF status ON "ingestions"
  FOR EACH ROW WHEN (OLD.status = 'in-progress' AND NEW.status = 'completed' AND NEW.valid_structured_data = false)
  EXECUTE FUNCTION open_review();
--> statement-breakpoint
INSERT INTO reviews (document_id, workspace_id, ingestion_id, state, document_type, reasons, fields)
SELECT d.id, d.workspace_id, i.id, 'open', i.document_type, doubts(i.verdict), doubtful_fields(i.verdict)
  FROM documents d JOIN ingestions i ON i.id = d.ingestion_id
 WHERE d.needs_human_review AND d.status = 'completed' AND d.deleted_at IS NULL;
--> statement-breakpoint
CREATE FUNCTION refuse_change_of_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Rows of % are never changed', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE ON "review_changes" FOR EACH ROW EXECUTE FUNCTION refuse_change_of_history();
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "reviews" FOR EACH ROW EXECUTE FUNCTION refuse_held('of document');
--> statement-breakpoint
CREATE TRIGGER legal_hold BEFORE DELETE ON "review_changes" FOR EACH ROW EXECUTE FUNCTION refuse_held('of document');
