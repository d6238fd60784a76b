import { engine } from './engine.ts';
import { growth } from './growth.ts';
import { latency } from './latency.ts';
import type { Part } from './part.ts';
import { peers } from './peers.ts';

/** Everything that is measured, by the name it is asked for. */
export const parts = { engine, peers, latency, growth } satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
