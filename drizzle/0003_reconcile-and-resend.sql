CREATE TABLE "job_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"position" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "resends" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "bytes_missing_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "batches_live" ON "batches" USING btree ("state") WHERE "batches"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "dead_letters_open_newest" ON "dead_letters" USING btree ("id") WHERE "dead_letters"."state" = 'open';--> statement-breakpoint
CREATE INDEX "documents_bytes_missing" ON "documents" USING btree ("id") WHERE "documents"."bytes_missing_at" is not null and "documents"."deleted_at" is null;