import type { DocumentSchema } from '../../domain/schema/index.ts';
import type { EmbeddedFile } from '../../domain/transcription.ts';
import type { Found } from '../rules/found.ts';
import type { EInvoice } from './invoice.ts';

/** The schema fields that the e-invoice states, with their exact values. */
export function fieldsOfEInvoice(
  invoice: EInvoice,
  file: EmbeddedFile,
  { fields }: DocumentSchema,
): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const [name, value] of Object.entries(invoice)) {
    if (value === undefined || !(name in fields) || (Array.isArray(value) && value.length === 0))
      continue;
    found.set(name, {
      value: withNulls(value),
      score: 1,
      evidence: { text: printed(value), source: file.name },
    });
  }
  return found;
}

function withNulls(value: EInvoice[keyof EInvoice]): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell ?? null])),
  );
}

function printed(value: EInvoice[keyof EInvoice]): string {
  return Array.isArray(value)
    ? value.map(({ description = '' }) => description).join('\n')
    : String(value);
}
