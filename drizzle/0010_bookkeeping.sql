CREATE TABLE "families" (
	"root_id" uuid PRIMARY KEY NOT NULL,
	"entries" integer NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "last_booking" uuid;--> statement-breakpoint
ALTER TABLE "families" ADD CONSTRAINT "families_root_id_documents_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."documents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_messages_delivered" ON "webhook_messages" USING btree ("ended_at") WHERE "webhook_messages"."state" = 'delivered';--> statement-breakpoint
INSERT INTO "families" ("root_id", "entries", "bytes")
SELECT root_id, count(*), sum(bytes) FROM documents WHERE root_id IS NOT NULL GROUP BY root_id;
