import { entryPoint } from '../lib/entry-point.ts';
import type { InputOf, OutputOf } from './operation.ts';
import type { Operations } from './operations.ts';
import { Pool, type PoolOptions } from './pool.ts';

/** Child processes for work on hostile input: parsing, rendering, OCR, image processing. */
export type Sandbox = Pool<Operations>;

/** Runs an operation in a child process of the pool or of BullMQ. */
export type RunInSandbox = <Name extends keyof Operations>(
  operation: Name,
  input: InputOf<Operations, Name>,
) => Promise<OutputOf<Operations, Name>>;

/** Entry point of the children that BullMQ starts. */
export const processorEntry = entryPoint(import.meta.url, 'processor');

export function openSandbox(options: PoolOptions): Sandbox {
  return new Pool(entryPoint(import.meta.url, 'child'), options);
}
