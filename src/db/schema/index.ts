/** All tables, gathered for drizzle-kit. */
export { apiKeys } from './api-keys.ts';
export { batchItems } from './batch-items.ts';
export { batches } from './batches.ts';
export { deadLetters } from './dead-letters.ts';
export { deliveries } from './deliveries.ts';
export { destinations } from './destinations.ts';
export { documents } from './documents.ts';
export { eventReaders } from './event-readers.ts';
export { events } from './events.ts';
export { ingestions } from './ingestions.ts';
export { jobCursors } from './job-cursors.ts';
export { jobRuns } from './job-runs.ts';
export { sessions } from './sessions.ts';
export { qualityDistribution, stageStatistics } from './statistics.ts';
export { tasks } from './tasks.ts';
export { webhookMessages } from './webhook-messages.ts';
export { webhooks } from './webhooks.ts';
export { workspaces } from './workspaces.ts';
