import type { GuardedProcess } from './guarded-process.ts';

/** One way to run a Redis server. */
export interface RedisProgram {
  /** Name and version for people: "Redis 7.0.15". */
  readonly kind: string;
  /** Its data folder: the programs cannot read each other's files. */
  readonly folder: string;
  start(port: number, home: string): { command: string; args: string[] };
  /** Resolves to true when the server accepts commands, to false when it exited. */
  ready(server: GuardedProcess, port: number): Promise<boolean>;
}
