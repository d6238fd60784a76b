-- What operators look at without asking the big tables. The unique indexes let both be refreshed while they are read.

CREATE MATERIALIZED VIEW "stage_statistics" AS
SELECT data->>'stage' AS stage,
       data->>'outcome' AS outcome,
       count(*) AS runs,
       avg((data->>'ms')::float8) AS mean_ms,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY (data->>'ms')::float8) AS p50_ms,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY (data->>'ms')::float8) AS p95_ms,
       max((data->>'ms')::float8) AS max_ms
  FROM events
 WHERE type = 'TASK_FINISHED' AND at > now() - interval '1 day' AND data ? 'ms'
 GROUP BY 1, 2;
--> statement-breakpoint
CREATE UNIQUE INDEX "stage_statistics_key" ON "stage_statistics" (stage, outcome);
--> statement-breakpoint
CREATE MATERIALIZED VIEW "quality_distribution" AS
SELECT d.workspace_id,
       (i.completed_at AT TIME ZONE 'UTC')::date AS day,
       least(9, floor(i.transcription_quality * 10))::integer AS tenth,
       count(*) AS documents
  FROM ingestions i
  JOIN documents d ON d.id = i.document_id
 WHERE i.transcription_quality IS NOT NULL AND i.completed_at > now() - interval '30 days' AND d.deleted_at IS NULL
 GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE UNIQUE INDEX "quality_distribution_key" ON "quality_distribution" (workspace_id, day, tenth);
