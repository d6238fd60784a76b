ALTER TABLE "deliveries" ADD COLUMN "workspace_id" uuid;--> statement-breakpoint
UPDATE "deliveries" d SET "workspace_id" = t."workspace_id" FROM "destinations" t WHERE t."id" = d."destination_id";--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "workspace_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "status" text DEFAULT 'in-progress' NOT NULL;--> statement-breakpoint
UPDATE "documents" d SET "status" = i."status" FROM "ingestions" i WHERE i."id" = d."ingestion_id" AND i."status" <> 'in-progress';--> statement-breakpoint
CREATE OR REPLACE FUNCTION update_document_from_ingestion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents
     SET status = NEW.status,
         structured_data = NEW.structured_data,
         needs_human_review = (NEW.status = 'failed' OR NOT coalesce(NEW.valid_structured_data, true)),
         updated_at = now()
   WHERE id = NEW.document_id AND ingestion_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batches_workspace_state" ON "batches" USING btree ("workspace_id","state","id");--> statement-breakpoint
CREATE INDEX "deliveries_workspace" ON "deliveries" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_workspace_status" ON "deliveries" USING btree ("workspace_id","status","id");--> statement-breakpoint
CREATE INDEX "documents_workspace_status" ON "documents" USING btree ("workspace_id","status","id");--> statement-breakpoint
CREATE INDEX "documents_workspace_review" ON "documents" USING btree ("workspace_id","id") WHERE "documents"."needs_human_review";--> statement-breakpoint
CREATE INDEX "documents_batch_status" ON "documents" USING btree ("batch_id","status","id") WHERE "documents"."batch_id" is not null;--> statement-breakpoint
CREATE INDEX "documents_batch_review" ON "documents" USING btree ("batch_id","id") WHERE "documents"."needs_human_review" and "documents"."batch_id" is not null;