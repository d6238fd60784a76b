import { engine } from './engine.ts';
import type { Part } from './part.ts';

/** Everything that is measured, by the name it is asked for. */
export const parts: Readonly<Record<PartName, Part>> = { engine };

export type PartName = 'engine';
