import type { Evidence, Extraction } from '../../domain/extraction.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { readLayout } from '../layout/layout-reading.ts';
import { checkRule } from './check-rule.ts';
import { type Doubt, type FieldVerdict, judgeField } from './judge-field.ts';

export interface GateVerdict {
  /** Leaves without review. */
  valid: boolean;
  /** One more try, with an extractor that may answer differently, could help. */
  retry: boolean;
  /** A field that is `ok` may have a reason too: what is odd about it in the document itself. */
  fields: Record<string, { ok: boolean; reason?: string; evidence?: Evidence }>;
  reasons: string[];
}

/**
 * Decides what of an extraction can be trusted. It believes the document, not the extractor: every value is looked up
 * again, sums and check digits are worked out, and what speaks against a value counts.
 */
export function judge(
  { fields: values, extraction_successful: successful, confidence }: Extraction,
  transcription: Transcription,
  schema: DocumentSchema,
  now: Date = new Date(),
): GateVerdict {
  const context = {
    reading: readLayout(transcription),
    embedded: transcription.embedded,
    schema,
    now,
  };
  const judged = Object.keys(schema.fields).map(
    (name) => [name, judgeField(name, values[name], context)] as const,
  );
  const doubts = [
    ...judged.flatMap(([name, { doubt }]) =>
      doubt ? [{ ...doubt, reason: `${name} ${doubt.reason}` }] : [],
    ),
    ...schema.rules.flatMap((rule) => softly(checkRule(rule, values, context.reading))),
    ...softly(successful ? undefined : 'the extractor says it did not succeed'),
    ...softly(confidence === 'low' ? 'the extractor is not confident' : undefined),
  ];
  return {
    valid: doubts.length === 0,
    retry:
      doubts.some(({ kind }) => kind === 'soft') && !doubts.some(({ kind }) => kind === 'missing'),
    fields: Object.fromEntries(judged.map(([name, verdict]) => [name, reported(verdict)])),
    reasons: doubts.map(({ reason }) => reason),
  };
}

function softly(reason: string | undefined): Doubt[] {
  return reason === undefined ? [] : [{ kind: 'soft', reason }];
}

function reported({ doubt, evidence }: FieldVerdict): GateVerdict['fields'][string] {
  return {
    ok: doubt === undefined,
    ...(doubt && { reason: doubt.reason }),
    ...(evidence && { evidence }),
  };
}
