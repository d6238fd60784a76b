export const msToMidnight = `
extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day' - (now() at time zone 'UTC'))::float8 * 1000`;

/** Reservations of calls that are in progress. Those of dead workers do not count. */
export const underWay = `
select r.task_id, r.workspace_id, r.batch_id, r.micros
  from reservations r join tasks t on t.id = r.task_id and t.epoch = r.epoch and t.state = 'running'`;
