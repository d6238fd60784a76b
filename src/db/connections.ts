import type { Config } from '../config/index.ts';
import { urgentConnections } from './index.ts';

type Role = Config['MILLRACE_ROLES'][number];

/** The most connections to Postgres that one process opens. */
export interface Connections {
  /** Through DATABASE_URL. */
  pooled: number;
  /** With a session of their own: through DATABASE_DIRECT_URL if it is set. */
  sessions: number;
}

/** Workers renew leases over connections of their own; the others lock interval jobs. */
export function countConnections(roles: readonly Role[], poolSize: number): Connections {
  const has = (role: Role) => (roles.includes(role) ? 1 : 0);
  return {
    pooled: poolSize + has('worker') * urgentConnections,
    sessions: has('api') + has('scheduler'),
  };
}
