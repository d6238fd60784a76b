import { keys } from '../../src/lib/keys.ts';
import { pipeline, type StageName } from '../../src/workers/pipeline.ts';

/** Failpoints that every task passes in every stage (`src/engine/task/executor.ts`). */
const common = ['taken', 'performed', 'settled', 'announced'];

/** Additional failpoints of some stages. */
const own: Partial<Record<StageName, string[]>> = {
  transcribe: ['read', 'stored'],
  unpack: ['unpacked', 'group', 'admitted'],
  preprocess: ['repaired', 'stored'],
  extract: ['answered', 'stored'],
  deliver: ['marked'],
};

export const stages = keys(pipeline);

/** All failpoints of a stage. */
export function stepsOf(stage: StageName): string[] {
  return [...common, ...(own[stage] ?? [])].map((moment) => `${stage}.${moment}`);
}

/** Kills the first process that passes this step with a document named after it. */
export function killAt(step: string, directory: string): string {
  return `${step}/${step}*=kill=1=${directory}/${step}`;
}
