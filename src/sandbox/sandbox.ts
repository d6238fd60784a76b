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

/** What BullMQ's children run: the sandbox's own child, in the shape BullMQ asks for. */
export const processorEntry = entryPoint(import.meta.url, 'processor');

export function openSandbox(options: PoolOptions): Sandbox {
  return new Pool(entryPoint(import.meta.url, 'child'), options);
}
