import client, { type Registry } from 'prom-client';

/** The part of a pool that tells how busy it is. */
export interface PoolFigures {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Use of the connections to Postgres, read when the metrics are. */
export function poolMetrics(registry: Registry) {
  let pool: PoolFigures = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const gauge = new client.Gauge({
    name: 'millrace_database_connections',
    help: 'Connections to Postgres of this process: busy, idle; waiting = requests that wait for one',
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
