DROP INDEX "documents_parent";--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "path" text;--> statement-breakpoint
CREATE INDEX "documents_parent" ON "documents" USING btree ("parent_id","position") WHERE "documents"."parent_id" is not null;