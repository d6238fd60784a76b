import { entryPoint } from '../lib/entry-point.ts';
import type { operations } from './operations.ts';
import { Pool, type PoolOptions } from './pool.ts';

/** Where everything hostile runs: parsing, rendering, recognition, image work. */
export type Sandbox = Pool<typeof operations>;

export function openSandbox(options: PoolOptions): Sandbox {
  return new Pool(entryPoint(import.meta.url, 'child'), options);
}
