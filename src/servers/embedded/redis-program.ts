import type { GuardedProcess } from './guarded-process.ts';

/** One way to run a Redis server. */
export interface RedisProgram {
  /** For people: "Redis 7.0.15". */
  readonly kind: string;
  /** Where it keeps its data: programs do not read each other's files. */
  readonly folder: string;
  start(port: number, home: string): { command: string; args: string[] };
  /** Settles when the server serves; false when it ended instead. */
  ready(server: GuardedProcess, port: number): Promise<boolean>;
}
