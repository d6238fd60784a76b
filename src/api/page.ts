import { z } from 'zod';
import { isId } from '../lib/ids.ts';

/** A page of a list: callers hand back what they were given and need not know what a cursor holds. */
export const pageQuery = z.object({
  cursor: z
    .string()
    .transform((text) => Buffer.from(text, 'base64url').toString('latin1'))
    .refine(isId, 'is not a cursor that was given out')
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});

export async function toPage<Item extends { id: string }>(
  limit: number,
  list: (limit: number) => Promise<Item[]>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const found = await list(limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor =
    found.length > limit && last ? Buffer.from(last.id).toString('base64url') : null;
  return { items, nextCursor };
}
