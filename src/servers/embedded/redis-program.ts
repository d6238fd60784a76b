import type { GuardedProcess } from './guarded-process.ts';
import type { RedisUsers } from './redis-users.ts';

/** One way to run a Redis server. */
export interface RedisProgram {
  /** Name and version for people: "Redis 7.0.15". */
  readonly kind: string;
  /** Its data folder: the programs cannot read each other's files. */
  readonly folder: string;
  start(
    port: number,
    home: string,
    users: RedisUsers,
  ): { command: string; args: string[]; env?: Record<string, string> };
  /** Resolves to true when the server accepts commands, to false when it exited. */
  ready(server: GuardedProcess, port: number, users: RedisUsers): Promise<boolean>;
}
