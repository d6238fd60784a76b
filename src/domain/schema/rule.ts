import { z } from 'zod';

const paths = z.array(z.string()).min(1).max(50);

export const rule = z.discriminatedUnion('kind', [
  /**
   * The sum of `of` equals `equals` (a line-item path such as `line_items.amount` sums its column).
   */
  z.strictObject({
    kind: z.literal('sum'),
    of: paths,
    equals: z.string(),
    tolerance: z.number().nonnegative().default(0.02),
  }),
  /** `earlier` is not after `later`. */
  z.strictObject({ kind: z.literal('order'), earlier: z.string(), later: z.string() }),
  /** At least one of `of` was found. */
  z.strictObject({ kind: z.literal('some'), of: paths }),
]);
export type Rule = z.infer<typeof rule>;
