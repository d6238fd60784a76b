import { z } from 'zod';
import { type RequestedOverrides, requestedOverrides } from '../domain/overrides.ts';
import { ConflictError } from '../errors.ts';
import { notThere } from '../providers/choice.ts';
import type { ApiContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { named } from './named.ts';

/** Request body of reprocess and replay. */
export const runAgain = named(
  'RunAgain',
  z.strictObject({ overrides: requestedOverrides.default({}) }),
);

/** Checks the overrides against the configured stages and providers, and seals the password. */
export function parseRunOptions(
  { queues, resources: { engines, seal } }: ApiContext,
  requested: RequestedOverrides,
) {
  const { password, ...overrides } = requested;
  const { fromStage, provider = {} } = overrides;
  if (fromStage !== undefined && !queues.byStage.has(fromStage))
    throw new ConflictError(`There is no stage "${fromStage}".`);
  for (const kind of ['ocr', 'llm'] as const) {
    const name = provider[kind];
    if (name === undefined || engines[kind].names.includes(name)) continue;
    const configured = { ocr: engines.ocr.names, llm: engines.llm.names };
    throw new HttpError(notThere(name, engines[kind].names), {
      status: 422,
      code: 'PROVIDER_NOT_CONFIGURED',
      details: { configured },
    });
  }
  return { overrides, sealedPassword: password === undefined ? undefined : seal.seal(password) };
}
