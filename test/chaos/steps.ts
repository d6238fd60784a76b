import { keys } from '../../src/lib/keys.ts';
import { pipeline, type StageName } from '../../src/workers/pipeline.ts';

/** What every stage goes through: `run.ts` passes these moments with each task. */
const common = ['taken', 'performed', 'settled', 'announced'];

/** What some stages pass in between. */
const own: Partial<Record<StageName, string[]>> = {
  transcribe: ['read', 'stored'],
  unpack: ['unpacked', 'admitted'],
  preprocess: ['repaired', 'stored'],
  extract: ['answered', 'stored'],
  deliver: ['marked'],
};

export const stages = keys(pipeline);

/** Every boundary between two steps of a stage. */
export function stepsOf(stage: StageName): string[] {
  return [...common, ...(own[stage] ?? [])].map((moment) => `${stage}.${moment}`);
}

/** Kills whoever first passes this step with a document that is named for it. */
export function killAt(step: string, directory: string): string {
  return `${step}/${step}*=kill=1=${directory}/${step}`;
}
