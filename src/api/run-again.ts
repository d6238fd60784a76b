import { z } from 'zod';
import { overrides } from '../domain/overrides.ts';
import { ConflictError } from '../errors.ts';
import type { ApiContext } from './context.ts';

/** How a document is to be run again. */
export const runAgain = z.strictObject({ overrides: overrides.default({}) });

/** A process may know fewer stages than there are. */
export function checkStart({ queues }: ApiContext, stage: string | undefined): void {
  if (stage !== undefined && !queues.byStage.has(stage)) throw new ConflictError(`There is no stage "${stage}" here.`);
}
