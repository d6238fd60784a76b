ALTER TABLE "batch_items" ALTER COLUMN "batch_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_items" ADD COLUMN "container_id" uuid;--> statement-breakpoint
ALTER TABLE "batch_items" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "items_inside" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "contents" jsonb;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_container_id_documents_id_fk" FOREIGN KEY ("container_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "batch_items_container" ON "batch_items" USING btree ("container_id","position");--> statement-breakpoint
CREATE INDEX "documents_parent" ON "documents" USING btree ("parent_id") WHERE "documents"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "documents_root" ON "documents" USING btree ("root_id") WHERE "documents"."root_id" is not null;--> statement-breakpoint
CREATE INDEX "documents_containers" ON "documents" USING btree ("batch_id") WHERE "documents"."contents" is not null;--> statement-breakpoint
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_place" CHECK ("batch_items"."batch_id" is not null or "batch_items"."container_id" is not null);