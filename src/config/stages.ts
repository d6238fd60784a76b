import type { z } from 'zod';
import { duration, number } from './types.ts';

/** Settings per queue: `MILLRACE_<STAGE>_<SETTING>` and `MILLRACE_<STAGE>_LARGE_<SETTING>`. */
export const stageSettings = {
  CONCURRENCY: number
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Concurrent tasks of this stage per process'),
  RATE: number
    .positive()
    .optional()
    .describe('Tasks of this stage started per second, across all processes'),
  TIMEOUT: duration.optional().describe('Time limit of one task'),
};

export interface StageOverrides {
  concurrency?: number;
  rate?: number;
  timeoutMs?: number;
}

export function stageVariable(stage: string, setting: keyof typeof stageSettings): string {
  return `MILLRACE_${stage.toUpperCase().replaceAll('-', '_')}_${setting}`;
}

/** Reads the overrides of these stages and adds problems to `problems`. */
export function readStageOverrides(
  values: Record<string, string>,
  stages: readonly string[],
  problems: string[],
) {
  const read = <T extends z.ZodType>(name: string, schema: T): z.infer<T> | undefined => {
    const parsed = schema.safeParse(values[name]);
    if (parsed.success) return parsed.data;
    problems.push(...parsed.error.issues.map(({ message }) => `${name}: ${message}`));
    return undefined;
  };
  return Object.fromEntries(
    stages.map((stage) => {
      const concurrency = read(stageVariable(stage, 'CONCURRENCY'), stageSettings.CONCURRENCY);
      const rate = read(stageVariable(stage, 'RATE'), stageSettings.RATE);
      const timeoutMs = read(stageVariable(stage, 'TIMEOUT'), stageSettings.TIMEOUT);
      const overrides: StageOverrides = {
        ...(concurrency !== undefined && { concurrency }),
        ...(rate !== undefined && { rate }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      };
      return [stage, overrides];
    }),
  );
}
