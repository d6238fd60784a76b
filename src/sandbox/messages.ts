import { z } from 'zod';
import { problems } from '../domain/problem.ts';
import { PermanentError } from '../errors.ts';
import { keys } from '../lib/keys.ts';

/** What parent and child say to each other. One job at a time, so replies need no number. */

export interface Request {
  operation: string;
  input: unknown;
}

const fault = z.object({ message: z.string(), stack: z.string(), code: z.enum(keys(problems)).optional() });
type Fault = z.infer<typeof fault>;

export const reply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('begun') }),
  z.object({ kind: z.literal('done'), output: z.unknown() }),
  z.object({ kind: z.literal('failed'), fault }),
]);
export type Reply = z.infer<typeof reply>;

export function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  const { message, stack = '' } = error;
  return error instanceof PermanentError ? { message, stack, code: error.code } : { message, stack };
}

export function fromFault({ message, stack, code }: Fault): Error {
  const cause = new Error(message);
  cause.stack = stack;
  return code ? new PermanentError(code, message, { cause }) : new Error(message, { cause });
}
