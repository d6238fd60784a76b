import { z } from 'zod';
import { problems } from '../domain/problem.ts';
import { PermanentError } from '../errors.ts';
import { keys } from '../lib/keys.ts';

/** Messages between parent and child. Children run one job at a time, so replies need no id. */

export const request = z.object({ operation: z.string(), input: z.unknown() });
export type Request = z.infer<typeof request>;

/**
 * A child started by BullMQ enforces its own deadline; children of the pool are killed by the pool.
 */
export const processorRequest = request.extend({ timeoutMs: z.number() });
export type ProcessorRequest = z.infer<typeof processorRequest>;

const fault = z.object({
  message: z.string(),
  stack: z.string(),
  code: z.enum(keys(problems)).optional(),
});
type Fault = z.infer<typeof fault>;

const done = z.object({ kind: z.literal('done'), output: z.unknown() });
const failed = z.object({ kind: z.literal('failed'), fault });

export const outcome = z.discriminatedUnion('kind', [done, failed]);
export type Outcome = z.infer<typeof outcome>;

export const reply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('begun') }),
  z.object({ kind: z.literal('loaded') }),
  done,
  failed,
]);
export type Reply = z.infer<typeof reply>;

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  const { message, stack = '' } = error;
  return error instanceof PermanentError
    ? { message, stack, code: error.code }
    : { message, stack };
}

export function fromFault({ message, stack, code }: Fault): Error {
  const cause = new Error(message);
  cause.stack = stack;
  return code ? new PermanentError(code, message, { cause }) : new Error(message, { cause });
}
