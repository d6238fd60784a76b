import { z } from 'zod';
import { phrase } from './field.ts';

/** Built-in signals that a schema can refer to instead of printed words. */
export const builtInSigns = ['@e-invoice', '@money', '@invoice', '@till'] as const;
export type BuiltInSign = (typeof builtInSigns)[number];

const sign = phrase.refine(
  (text) => !text.startsWith('@') || builtInSigns.some((known) => known === text),
  `is not one of the signs ${builtInSigns.join(', ')}`,
);
const list = z.array(sign).min(1).max(50).optional();

/** A rule that recognises a type by its first pages: words as printed, or built-in signs. */
export const recognition = z
  .strictObject({ all: list, any: list, none: list })
  .refine(
    ({ all, any }) => all || any,
    'needs `all` or `any`: absent words alone cannot identify a type',
  );
export type Recognition = z.infer<typeof recognition>;
