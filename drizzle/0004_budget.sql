CREATE TABLE "accounts" (
	"owner" uuid NOT NULL,
	"period" text NOT NULL,
	"spent_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "accounts_owner_period_pk" PRIMARY KEY("owner","period")
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"task_id" uuid PRIMARY KEY NOT NULL,
	"epoch" integer NOT NULL,
	"workspace_id" uuid NOT NULL,
	"batch_id" uuid,
	"micros" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "max_cost_micros" bigint;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "held" jsonb;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "daily_budget_micros" bigint;--> statement-breakpoint
CREATE INDEX "reservations_workspace" ON "reservations" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "tasks_held" ON "tasks" USING btree ("not_before") WHERE "tasks"."state" = 'ready' and "tasks"."held" is not null;