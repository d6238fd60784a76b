import { z } from 'zod';
import { parseDuration } from '../lib/time.ts';

/** Types of values in environment variables: everything arrives as text. */

export const duration = z.string().transform((text, ctx) => {
  const ms = parseDuration(text);
  if (ms === undefined)
    ctx.addIssue({
      code: 'custom',
      message: `"${text}" is not a duration such as 90s, 15m, 24h or 30d`,
    });
  return ms ?? z.NEVER;
});

export const number = z.coerce.number({
  error: ({ code }) => (code === 'invalid_type' ? 'must be a number' : undefined),
});

export const flag = z.union([z.boolean(), z.stringbool()]);

export const port = number.int().min(0).max(65_535);

export const megabytes = number.positive();

/** `a, b` → `['a', 'b']`. */
export function list<T extends z.ZodType>(item: T) {
  return z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    z.array(item).min(1),
  );
}

/** Marks a variable whose value must never be shown. */
export const secret = { secret: true };
