import { z } from 'zod';
import { phrase } from './field.ts';

/** What can be seen of a document without words of one's own; see `signs.ts`. */
export const builtInSigns = ['@e-invoice', '@money', '@invoice', '@till'] as const;
export type BuiltInSign = (typeof builtInSigns)[number];

const sign = phrase.refine(
  (text) => !text.startsWith('@') || builtInSigns.some((known) => known === text),
  `is none of the signs ${builtInSigns.join(', ')}`,
);
const list = z.array(sign).min(1).max(50).optional();

/** One way to know a type of document by what stands on its first pages: words as printed, or signs. */
export const recognition = z
  .strictObject({ all: list, any: list, none: list })
  .refine(({ all, any }) => all || any, 'needs `all` or `any`: what is not there makes no type');
export type Recognition = z.infer<typeof recognition>;
