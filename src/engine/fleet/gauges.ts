import client, { type Registry } from 'prom-client';

export type Gauges = ReturnType<typeof declareGauges>;

/** Every metric of the whole installation. */
// biome-ignore format: read it as a table
export function declareGauges(registry: Registry) {
  const gauge = (name: string, labelNames: string[], help: string) =>
    new client.Gauge({ name, help, labelNames, registers: [registry] });
  return {
    tasks: gauge('millrace_tasks', ['stage', 'state'], 'Tasks by stage and state: waiting, delayed, running'),
    backlog: gauge('millrace_backlog_seconds', ['stage'], 'Work that waits, in estimated seconds for one worker'),
    oldest: gauge('millrace_oldest_waiting_seconds', ['stage'], 'How long the oldest waiting task has been due'),
    heldDocuments: gauge('millrace_held_documents', ['reason'], 'Documents that wait for a ceiling of cost to be raised: daily-budget, batch-budget'),
    deadLetters: gauge('millrace_dlq_entries', ['stage', 'code'], 'Open dead letters'),
    batches: gauge('millrace_batches', ['state'], 'Batches that have not ended, by state'),
    unbalanced: gauge('millrace_batches_unbalanced', [], 'Batches whose documents have all ended while items are missing'),
    batchDocuments: gauge('millrace_batch_documents_open', ['state'], 'Documents that have not ended, by the state of their batch'),
    batchIdle: gauge('millrace_batch_idle_seconds', ['state'], 'How long nothing has happened in the quietest batch of a state'),
    bytesMissing: gauge('millrace_documents_bytes_missing', [], 'Documents whose bytes are not in storage'),
    deadLetterLimit: gauge('millrace_dlq_alert_threshold', [], 'More open dead letters than this raise the alert'),
    toReplay: gauge('millrace_replay_letters', [], 'Letters that replays have not come to yet'),
    jobs: gauge('millrace_queue_jobs', ['queue', 'state'], 'Jobs in Redis by queue and state'),
    workers: gauge('millrace_queue_workers', ['queue'], 'Workers connected to a queue'),
    paused: gauge('millrace_queue_paused', ['queue'], '1 while somebody has paused the queue'),
    jobSuccess: gauge('millrace_job_last_success_timestamp_seconds', ['interval_job'], 'When an interval job last did its work'),
    jobInterval: gauge('millrace_job_interval_seconds', ['interval_job'], 'How often an interval job is meant to run'),
    broken: gauge('millrace_provider_breaker_open', ['provider'], '1 while a vendor is left alone because it fails'),
    held: gauge('millrace_provider_paused', ['provider'], '1 while a vendor is left alone because it asked for that'),
  };
}
