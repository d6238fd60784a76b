import client, { type Registry } from 'prom-client';

export type Gauges = ReturnType<typeof declareGauges>;

/** All metrics of the installation as a whole. */
// biome-ignore format: read it as a table
export function declareGauges(registry: Registry) {
  const gauge = (name: string, labelNames: string[], help: string) =>
    new client.Gauge({ name, help, labelNames, registers: [registry] });
  return {
    tasks: gauge('millrace_tasks', ['stage', 'state'], 'Tasks by stage and state: waiting, delayed, running'),
    backlog: gauge('millrace_backlog_seconds', ['stage'], 'Estimated seconds one worker needs for the waiting tasks'),
    oldest: gauge('millrace_oldest_waiting_seconds', ['stage'], 'Seconds since the oldest waiting task became due'),
    heldDocuments: gauge('millrace_held_documents', ['reason'], 'Documents held by a cost ceiling, by reason: daily-budget, batch-budget'),
    deadLetters: gauge('millrace_dlq_entries', ['stage', 'code'], 'Open dead letters'),
    batches: gauge('millrace_batches', ['state'], 'Batches that have not ended, by state'),
    unbalanced: gauge('millrace_batches_unbalanced', [], 'Batches whose documents have all ended but whose ledger does not balance'),
    batchDocuments: gauge('millrace_batch_documents_open', ['state'], 'Documents that have not ended, by the state of their batch'),
    batchIdle: gauge('millrace_batch_idle_seconds', ['state'], 'Seconds since the last progress of the batch that has been idle longest, by state'),
    bytesMissing: gauge('millrace_documents_bytes_missing', [], 'Documents whose bytes are not in storage'),
    deadLetterLimit: gauge('millrace_dlq_alert_threshold', [], 'Number of open dead letters above which the alert fires'),
    toReplay: gauge('millrace_replay_letters', [], 'Dead letters that running replays have not reached yet'),
    jobs: gauge('millrace_queue_jobs', ['queue', 'state'], 'Jobs in Redis by queue and state'),
    workers: gauge('millrace_queue_workers', ['queue'], 'Workers connected to a queue'),
    paused: gauge('millrace_queue_paused', ['queue'], '1 while the queue is paused'),
    jobSuccess: gauge('millrace_job_last_success_timestamp_seconds', ['interval_job'], 'Time of the last successful pass of an interval job'),
    jobInterval: gauge('millrace_job_interval_seconds', ['interval_job'], 'Configured interval of an interval job'),
    broken: gauge('millrace_provider_breaker_open', ['provider'], '1 while the circuit breaker of a vendor, or of storage, is open because its calls fail'),
    held: gauge('millrace_provider_paused', ['provider'], '1 while calls to a vendor are paused at its own request'),
  };
}
