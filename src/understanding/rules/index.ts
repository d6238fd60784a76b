import type { Confidence, Extraction } from '../../domain/extraction.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { PermanentError } from '../../errors.ts';
import { readEInvoice } from '../einvoice/read.ts';
import { fieldsOfEInvoice } from '../einvoice/to-extraction.ts';
import { readLayout } from '../layout/layout-reading.ts';
import { chooseFinder } from './finders.ts';
import type { Found } from './found.ts';
import { findLabelled } from './labelled.ts';

/** Name and version of the rules. Change it when results change. */
export const rulesEngine = 'local/3';

/**
 * Extracts without a model: from embedded e-invoice data if present, otherwise by rules over words
 * and boxes.
 */
export function extractByRules(transcription: Transcription, schema: DocumentSchema): Extraction {
  return extractionOf(schema, read(transcription, schema, readEmbedded(transcription, schema)));
}

/** Damaged embedded data is ignored if the document also has readable pages. */
function readEmbedded(
  { embedded, pages }: Transcription,
  schema: DocumentSchema,
): Map<string, Found> | undefined {
  for (const file of embedded) {
    try {
      const invoice = readEInvoice(file);
      if (invoice) return fieldsOfEInvoice(invoice, file, schema);
    } catch (error) {
      if (!(error instanceof PermanentError) || pages.every(({ text }) => text.trim() === ''))
        throw error;
    }
  }
  return undefined;
}

function read(
  transcription: Transcription,
  { fields }: DocumentSchema,
  known: ReadonlyMap<string, Found> | undefined,
): Map<string, Found> {
  const reading = readLayout(transcription);
  return new Map(
    Object.entries(fields).flatMap(([name, field]) => {
      // If embedded data describes the invoice, the pages are read only for fields with labels in
      // the schema.
      const find = field.labels
        ? findLabelled(name, fields)
        : known
          ? undefined
          : chooseFinder(name, field);
      const found = known?.get(name) ?? find?.(reading);
      return found ? [[name, found] as const] : [];
    }),
  );
}

function extractionOf(
  { name, fields, critical }: DocumentSchema,
  found: ReadonlyMap<string, Found>,
): Extraction {
  const names = Object.keys(fields);
  return {
    schema: name,
    fields: Object.fromEntries(names.map((field) => [field, found.get(field)?.value ?? null])),
    evidence: Object.fromEntries([...found].map(([field, { evidence }]) => [field, evidence])),
    confidence: confidenceIn(critical.map((field) => found.get(field)?.score ?? 0)),
    missing_fields: names.filter((field) => !found.has(field)),
    extraction_successful: found.size > 0 && critical.every((field) => found.has(field)),
    model: rulesEngine,
    tokens: { input: 0, output: 0 },
  };
}

/** The confidence of a document is that of its least certain critical field. */
function confidenceIn(scores: readonly number[]): Confidence {
  const least = Math.min(1, ...scores);
  if (least >= 0.7) return 'high';
  return least >= 0.4 ? 'medium' : 'low';
}
