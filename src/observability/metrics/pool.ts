import client, { type Registry } from 'prom-client';

/** The counters of a connection pool. */
export interface PoolFigures {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Postgres connections of this process, sampled at each scrape. */
export function poolMetrics(registry: Registry) {
  let pool: PoolFigures = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const gauge = new client.Gauge({
    name: 'millrace_database_connections',
    help: 'Postgres connections of this process: busy, idle; waiting = requests waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  return {
    watchPool(watched: PoolFigures) {
      pool = watched;
    },
  };
}
