CREATE TABLE "schemas" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"definition" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "document_type" text;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "schema_origin" text;--> statement-breakpoint
ALTER TABLE "ingestions" ADD COLUMN "schema_version" integer;--> statement-breakpoint
ALTER TABLE "schemas" ADD CONSTRAINT "schemas_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "schemas_version" ON "schemas" USING btree ("workspace_id","name","version");--> statement-breakpoint
CREATE UNIQUE INDEX "schemas_in_force" ON "schemas" USING btree ("workspace_id","name") WHERE "schemas"."retired_at" is null;