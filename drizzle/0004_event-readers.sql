-- Endpoints hear of what happens from now on.
INSERT INTO "event_readers" ("name", "xid", "event_id") VALUES ('webhooks', pg_snapshot_xmin(pg_current_snapshot()), 0);
