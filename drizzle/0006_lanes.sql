ALTER TABLE "tasks" ADD COLUMN "lane" text DEFAULT 'small' NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "failures" smallint DEFAULT 0 NOT NULL;