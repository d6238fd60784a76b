CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"workspace_id" uuid,
	"role" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
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
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"priority" integer DEFAULT 50 NOT NULL,
	"idempotency_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"queued_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"turn_at" timestamp with time zone,
	"progress_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sealed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"cancel_mode" text,
	"items_seen" integer DEFAULT 0 NOT NULL,
	"items_expected" integer,
	"documents" integer DEFAULT 0 NOT NULL,
	"open" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"cancelled" integer DEFAULT 0 NOT NULL,
	"max_redrives" smallint DEFAULT 2 NOT NULL,
	"redrive_pass" smallint DEFAULT 0 NOT NULL,
	"redrive_at" timestamp with time zone,
	"ledger" jsonb,
	CONSTRAINT "batches_ended" CHECK (("batches"."ended_at" is not null) = ("batches"."state" in ('completed', 'cancelled'))),
	CONSTRAINT "batches_active" CHECK ("batches"."turn_at" is not null or "batches"."state" not in ('active', 'redriving')),
	CONSTRAINT "batches_counted" CHECK ("batches"."documents" = "batches"."open" + "batches"."completed" + "batches"."failed" + "batches"."cancelled"
        and least("batches"."open", "batches"."completed", "batches"."failed", "batches"."cancelled") >= 0),
	CONSTRAINT "batches_priority" CHECK ("batches"."priority" >= 0)
);
--> statement-breakpoint
CREATE TABLE "dead_letters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"task_id" uuid NOT NULL,
	"ingestion_id" uuid NOT NULL,
	"stage" text NOT NULL,
	"code" text NOT NULL,
	"category" text NOT NULL,
	"message" text NOT NULL,
	"stack" text,
	"fingerprint" text NOT NULL,
	"attempts" integer NOT NULL,
	"worker" text,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"first_seen" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	"replayed_as" uuid
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"ingestion_id" uuid NOT NULL,
	"destination_id" uuid NOT NULL,
	"task_id" uuid,
	"state" text NOT NULL,
	"outcome" text DEFAULT 'none' NOT NULL,
	"status" text GENERATED ALWAYS AS (case when state in ('received') then 'RECEIVED' when state in ('scheduled') then 'SCHEDULED' when state in ('processing') then 'PROCESSING' when state in ('waiting', 'queued') and outcome = 'submitted' then 'SUBMITTED' when state in ('waiting', 'queued') and outcome = 'not-managed' then 'NOT_MANAGED' when state in ('waiting') and outcome = 'try-again-later' then 'TRY_AGAIN_LATER' when state in ('queued', 'waiting') then 'QUEUED' when state in ('ended') and outcome = 'managed' then 'MANAGED' when state in ('ended') and outcome = 'rejected' then 'REJECTED' when state in ('ended') and outcome = 'cancelled' then 'CANCELLED' when state in ('ended') then 'FAILED' end) STORED NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"submitting_at" timestamp with time zone,
	"submitted_at" timestamp with time zone,
	"reference" text,
	"external_id" text,
	"reason_code" text,
	"reason" text,
	"entered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "deliveries_ended" CHECK (("deliveries"."state" = 'ended') = ("deliveries"."outcome" in ('managed', 'rejected', 'failed', 'cancelled')))
);
--> statement-breakpoint
CREATE TABLE "destinations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"settings" jsonb NOT NULL,
	"secret" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"max_concurrent" integer,
	"hold_ms" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid,
	"parent_id" uuid,
	"root_id" uuid,
	"name" text NOT NULL,
	"declared_type" text,
	"media_type" text,
	"bytes" bigint NOT NULL,
	"md5" text NOT NULL,
	"sha1" text NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"ingestion_id" uuid NOT NULL,
	"structured_data" jsonb,
	"needs_human_review" boolean DEFAULT false NOT NULL,
	"idempotency_key" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "event_readers" (
	"name" text PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL,
	"event_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigserial NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" text NOT NULL,
	"ingestion_id" uuid,
	"batch_id" uuid,
	"data" jsonb NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "events_id_at_pk" PRIMARY KEY("id","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "ingestions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid,
	"waits_for" uuid,
	"admitted_at" timestamp with time zone,
	"status" text DEFAULT 'in-progress' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"pages" integer,
	"language" text,
	"transcription_key" text,
	"transcription_sha256" text,
	"transcription_quality" real,
	"preprocessed_key" text,
	"preprocessed_type" text,
	"preprocessed_pages" jsonb,
	"document_type" text,
	"structured_data" jsonb,
	"verdict" jsonb,
	"valid_structured_data" boolean,
	"extraction_model" text,
	"extraction_input_tokens" integer DEFAULT 0 NOT NULL,
	"extraction_output_tokens" integer DEFAULT 0 NOT NULL,
	"cost_micros" bigint DEFAULT 0 NOT NULL,
	"overrides" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "ingestions_ended" CHECK (("ingestions"."completed_at" is not null) = ("ingestions"."status" <> 'in-progress'))
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"succeeded_at" timestamp with time zone,
	"report" jsonb,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ingestion_id" uuid NOT NULL,
	"stage" text NOT NULL,
	"state" text DEFAULT 'ready' NOT NULL,
	"priority" smallint DEFAULT 50 NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"suspect" boolean DEFAULT false NOT NULL,
	"alone" boolean DEFAULT false NOT NULL,
	"postponed" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"give_up_at" timestamp with time zone NOT NULL,
	"announced_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"deadline" timestamp with time zone,
	"last_error" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "tasks_lease" CHECK (("tasks"."lease_until" is not null) = ("tasks"."state" = 'running')),
	CONSTRAINT "tasks_ended" CHECK (("tasks"."ended_at" is not null) = ("tasks"."state" in ('done', 'dead', 'cancelled')))
);
--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"webhook_id" uuid NOT NULL,
	"position" bigserial NOT NULL,
	"event_id" bigint NOT NULL,
	"type" text NOT NULL,
	"document_id" text,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid,
	"url" text NOT NULL,
	"types" text[],
	"batch_id" uuid,
	"ordered" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"disabled_reason" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"max_in_flight" integer DEFAULT 200 NOT NULL,
	"default_priority" integer DEFAULT 50 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_ingestion_id_ingestions_id_fk" FOREIGN KEY ("ingestion_id") REFERENCES "public"."ingestions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_destination_id_destinations_id_fk" FOREIGN KEY ("destination_id") REFERENCES "public"."destinations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_parent_id_documents_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_waits_for_batches_id_fk" FOREIGN KEY ("waits_for") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_ingestion_id_ingestions_id_fk" FOREIGN KEY ("ingestion_id") REFERENCES "public"."ingestions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "batch_items_batch" ON "batch_items" USING btree ("batch_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "batch_items_idempotency" ON "batch_items" USING btree ("batch_id","idempotency_key") WHERE "batch_items"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "batches_queued" ON "batches" USING btree ("workspace_id","priority","created_at") WHERE "batches"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "batches_restless" ON "batches" USING btree ("state","id") WHERE "batches"."state" in ('redriving', 'cancelling');--> statement-breakpoint
CREATE INDEX "batches_workspace" ON "batches" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "batches_one_turn" ON "batches" USING btree ("workspace_id") WHERE "batches"."turn_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "batches_idempotency" ON "batches" USING btree ("workspace_id","idempotency_key") WHERE "batches"."idempotency_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_one_open" ON "dead_letters" USING btree ("task_id") WHERE "dead_letters"."state" = 'open';--> statement-breakpoint
CREATE INDEX "dead_letters_ingestion" ON "dead_letters" USING btree ("ingestion_id");--> statement-breakpoint
CREATE INDEX "dead_letters_group" ON "dead_letters" USING btree ("fingerprint","last_seen");--> statement-breakpoint
CREATE INDEX "dead_letters_open" ON "dead_letters" USING btree ("last_seen") WHERE "dead_letters"."state" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("document_id","destination_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_task" ON "deliveries" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "deliveries_destination" ON "deliveries" USING btree ("destination_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_to_queue" ON "deliveries" USING btree ("not_before") WHERE "deliveries"."state" in ('received', 'scheduled');--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("updated_at") WHERE "deliveries"."state" in ('queued', 'processing');--> statement-breakpoint
CREATE INDEX "deliveries_entered" ON "deliveries" USING btree ("destination_id") WHERE "deliveries"."entered_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "destinations_name" ON "destinations" USING btree ("workspace_id","name") WHERE "destinations"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "documents_workspace" ON "documents" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "documents_batch" ON "documents" USING btree ("batch_id","id");--> statement-breakpoint
CREATE INDEX "documents_content" ON "documents" USING btree ("workspace_id","sha256");--> statement-breakpoint
CREATE INDEX "documents_batch_content" ON "documents" USING btree ("batch_id","sha256") WHERE "documents"."batch_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "documents_idempotency" ON "documents" USING btree ("workspace_id","idempotency_key") WHERE "documents"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "events_ingestion" ON "events" USING btree ("ingestion_id","id");--> statement-breakpoint
CREATE INDEX "events_batch" ON "events" USING btree ("batch_id","id") WHERE "events"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "events_order" ON "events" USING btree ("xid");--> statement-breakpoint
CREATE INDEX "ingestions_document" ON "ingestions" USING btree ("document_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ingestions_one_live" ON "ingestions" USING btree ("document_id") WHERE "ingestions"."status" = 'in-progress';--> statement-breakpoint
CREATE INDEX "ingestions_waiting" ON "ingestions" USING btree ("workspace_id","waits_for","created_at","id") WHERE "ingestions"."completed_at" is null and "ingestions"."admitted_at" is null;--> statement-breakpoint
CREATE INDEX "ingestions_in_flight" ON "ingestions" USING btree ("workspace_id","batch_id") WHERE "ingestions"."completed_at" is null and "ingestions"."admitted_at" is not null;--> statement-breakpoint
CREATE INDEX "ingestions_batch_ended" ON "ingestions" USING btree ("batch_id","completed_at") WHERE "ingestions"."batch_id" is not null and "ingestions"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "ingestions_batch_failed" ON "ingestions" USING btree ("batch_id","id") WHERE "ingestions"."batch_id" is not null and "ingestions"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tasks_ingestion" ON "tasks" USING btree ("ingestion_id");--> statement-breakpoint
CREATE INDEX "tasks_to_announce" ON "tasks" USING btree ("not_before") WHERE "tasks"."state" = 'ready' and "tasks"."announced_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_announced" ON "tasks" USING btree ("announced_at") WHERE "tasks"."state" = 'ready' and "tasks"."announced_at" is not null;--> statement-breakpoint
CREATE INDEX "tasks_leased" ON "tasks" USING btree ("lease_until") WHERE "tasks"."state" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_messages_once" ON "webhook_messages" USING btree ("webhook_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_messages_due" ON "webhook_messages" USING btree ("webhook_id","not_before") WHERE "webhook_messages"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_messages_order" ON "webhook_messages" USING btree ("webhook_id","document_id","position") WHERE "webhook_messages"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_messages_dead" ON "webhook_messages" USING btree ("webhook_id","id") WHERE "webhook_messages"."state" = 'dead';--> statement-breakpoint
CREATE INDEX "webhooks_workspace" ON "webhooks" USING btree ("workspace_id");