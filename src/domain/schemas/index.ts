import type { DocumentSchema } from '../schema/index.ts';
import { generic } from './generic.ts';
import { invoice } from './invoice.ts';
import { receipt } from './receipt.ts';

/** The built-in schemas, by name. */
export const schemas = { invoice, receipt, generic } satisfies Record<string, DocumentSchema>;
