ALTER TABLE "dead_letters" ALTER COLUMN "ingestion_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "ingestion_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "dead_letters" ADD COLUMN "subject_kind" text DEFAULT 'ingestion' NOT NULL;--> statement-breakpoint
ALTER TABLE "dead_letters" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "dead_letters" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "subject_kind" text DEFAULT 'ingestion' NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tasks_subject" ON "tasks" USING btree ("subject_kind","subject_id") WHERE "tasks"."subject_id" is not null;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_one_subject" CHECK (num_nonnulls("tasks"."ingestion_id", "tasks"."subject_id") = 1
        and ("tasks"."ingestion_id" is not null) = ("tasks"."subject_kind" = 'ingestion'));