import { z } from 'zod';
import { isId } from '../lib/ids.ts';

/** Query parameters of a paginated list. Cursors are opaque to callers. */
export const pageQuery = z.object({
  cursor: z
    .string()
    .transform((text) => Buffer.from(text, 'base64url').toString('latin1'))
    .refine(isId, 'is not a valid cursor')
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
