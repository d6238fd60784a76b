import type { DocumentSchema } from '../schema/index.ts';
import { generic } from './generic.ts';
import { invoice } from './invoice.ts';
import { receipt } from './receipt.ts';

/** The schemas that ship, by name. */
export const schemas = { invoice, receipt, generic } satisfies Record<string, DocumentSchema>;
