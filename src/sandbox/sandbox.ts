import { entryPoint } from '../lib/entry-point.ts';
import type { InputOf, OutputOf } from './operation.ts';
import type { Operations } from './operations.ts';
import { Pool, type PoolOptions } from './pool.ts';

/** Where everything hostile runs: parsing, rendering, recognition, image work. */
export type Sandbox = Pool<Operations>;

/** Runs an operation in a child process, however that one was started. */
export type RunInSandbox = <Name extends keyof Operations>(
  operation: Name,
  input: InputOf<Operations, Name>,
) => Promise<OutputOf<Operations, Name>>;

export function openSandbox(options: PoolOptions): Sandbox {
  return new Pool(entryPoint(import.meta.url, 'child'), options);
}
