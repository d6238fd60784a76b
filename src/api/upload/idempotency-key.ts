import type { Request } from 'express';
import { UsageError } from '../../errors.ts';

/** Under which name the caller may send the same request again. */
export function readIdempotencyKey(req: Request): string | undefined {
  const key = req.get('Idempotency-Key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new UsageError(
    'The Idempotency-Key is not valid.',
    'Use 1 to 200 printable characters without spaces.',
  );
}
