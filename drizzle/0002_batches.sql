CREATE TABLE "batch_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"document_id" uuid,
	"bytes" bigint,
	"sha256" text,
	"idempotency_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "batches_turn";--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "queued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "turn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "progress_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "cancel_mode" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "items_seen" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "items_expected" integer;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "documents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "open" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "completed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "failed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "cancelled" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "max_redrives" smallint DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "redrive_pass" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "redrive_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "ledger" jsonb;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "waits_for" uuid;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "admitted_at" timestamp with time zone;--> statement-breakpoint
UPDATE "ingestions" i SET "workspace_id" = d."workspace_id", "batch_id" = d."batch_id", "admitted_at" = i."created_at" FROM "documents" d WHERE d."id" = i."document_id";--> statement-breakpoint
ALTER TABLE "ingestions" ALTER COLUMN "workspace_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_items_batch" ON "batch_items" USING btree ("batch_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "batch_items_idempotency" ON "batch_items" USING btree ("batch_id","idempotency_key") WHERE "batch_items"."idempotency_key" is not null;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_waits_for_batches_id_fk" FOREIGN KEY ("waits_for") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batches_queued" ON "batches" USING btree ("workspace_id","priority","created_at") WHERE "batches"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "batches_restless" ON "batches" USING btree ("state","id") WHERE "batches"."state" in ('redriving', 'cancelling');--> statement-breakpoint
CREATE INDEX "batches_workspace" ON "batches" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_one_turn" ON "batches" USING btree ("workspace_id") WHERE "batches"."turn_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "batches_idempotency" ON "batches" USING btree ("workspace_id","idempotency_key") WHERE "batches"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "documents_batch_content" ON "documents" USING btree ("batch_id","sha256") WHERE "documents"."batch_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "documents_idempotency" ON "documents" USING btree ("workspace_id","idempotency_key") WHERE "documents"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "events_batch" ON "events" USING btree ("batch_id","id") WHERE "events"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "ingestions_waiting" ON "ingestions" USING btree ("workspace_id","waits_for","created_at","id") WHERE "ingestions"."completed_at" is null and "ingestions"."admitted_at" is null;--> statement-breakpoint
CREATE INDEX "ingestions_in_flight" ON "ingestions" USING btree ("workspace_id","batch_id") WHERE "ingestions"."completed_at" is null and "ingestions"."admitted_at" is not null;--> statement-breakpoint
CREATE INDEX "ingestions_batch_ended" ON "ingestions" USING btree ("batch_id","completed_at") WHERE "ingestions"."batch_id" is not null and "ingestions"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "ingestions_batch_failed" ON "ingestions" USING btree ("batch_id","id") WHERE "ingestions"."batch_id" is not null and "ingestions"."status" = 'failed';--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_active" CHECK ("batches"."turn_at" is not null or "batches"."state" not in ('active', 'redriving'));--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_counted" CHECK ("batches"."documents" = "batches"."open" + "batches"."completed" + "batches"."failed" + "batches"."cancelled"
        and least("batches"."open", "batches"."completed", "batches"."failed", "batches"."cancelled") >= 0);--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_priority" CHECK ("batches"."priority" >= 0);