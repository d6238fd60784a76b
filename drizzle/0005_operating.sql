CREATE TABLE "replays" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid,
	"filters" jsonb NOT NULL,
	"overrides" jsonb NOT NULL,
	"sealed_password" text,
	"rate" double precision,
	"total" integer NOT NULL,
	"more" boolean NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"handled" integer DEFAULT 0 NOT NULL,
	"position" uuid,
	"outcomes" jsonb NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "replays_finished" CHECK (("replays"."finished_at" is not null) = ("replays"."state" <> 'running')),
	CONSTRAINT "replays_password" CHECK ("replays"."sealed_password" is null or "replays"."state" = 'running')
);
--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "sealed_password" text;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replays_running" ON "replays" USING btree ("created_at") WHERE "replays"."state" = 'running';--> statement-breakpoint
ALTER TABLE "ingestions" ADD CONSTRAINT "ingestions_password" CHECK ("ingestions"."sealed_password" is null or "ingestions"."status" = 'in-progress');