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
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_ingestion_id_ingestions_id_fk" FOREIGN KEY ("ingestion_id") REFERENCES "public"."ingestions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_destination_id_destinations_id_fk" FOREIGN KEY ("destination_id") REFERENCES "public"."destinations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("document_id","destination_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_task" ON "deliveries" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "deliveries_destination" ON "deliveries" USING btree ("destination_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_to_queue" ON "deliveries" USING btree ("not_before") WHERE "deliveries"."state" in ('received', 'scheduled');--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("updated_at") WHERE "deliveries"."state" in ('queued', 'processing');--> statement-breakpoint
CREATE INDEX "deliveries_entered" ON "deliveries" USING btree ("destination_id") WHERE "deliveries"."entered_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "destinations_name" ON "destinations" USING btree ("workspace_id","name") WHERE "destinations"."deleted_at" is null;