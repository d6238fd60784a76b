import type { Evidence, Extraction } from '../../domain/extraction.ts';
import { toRelativeBox } from '../../domain/relative-box.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import type { Transcription } from '../../domain/transcription.ts';
import { readLayout } from '../layout/layout-reading.ts';
import { checkRule } from './check-rule.ts';
import { type Doubt, type FieldVerdict, judgeField, judgeSettled } from './judge-field.ts';

export interface GateVerdict {
  /** True if the document needs no review. */
  valid: boolean;
  /** True if another attempt with a non-deterministic extractor could help. */
  retry: boolean;
  /** An `ok` field can also have a reason: something unusual in the document itself. */
  fields: Record<string, { ok: boolean; reason?: string; evidence?: Evidence }>;
  reasons: string[];
}

type Judged = Pick<Extraction, 'fields' | 'extraction_successful' | 'confidence'> &
  Partial<Extraction>;

/**
 * Decides which extracted values can be trusted. The gate relies on the document, not on the
 * extractor: it locates every value again, recomputes sums and check digits, and looks for evidence
 * against each value. A value that a person has settled must only fit its kind and the rules.
 */
export function judge(
  { fields: values, extraction_successful: successful, confidence }: Judged,
  transcription: Transcription,
  schema: DocumentSchema,
  now: Date = new Date(),
  settled: readonly string[] = [],
): GateVerdict {
  const context = {
    reading: readLayout(transcription),
    embedded: transcription.embedded,
    schema,
    now,
  };
  const judged = Object.keys(schema.fields).map(
    (name) =>
      [
        name,
        settled.includes(name)
          ? judgeSettled(name, values[name], context)
          : judgeField(name, values[name], context),
      ] as const,
  );
  const doubts = [
    ...judged.flatMap(([name, { doubt }]) =>
      doubt ? [{ ...doubt, reason: `${name} ${doubt.reason}` }] : [],
    ),
    ...schema.rules.flatMap((rule) => toSoftDoubts(checkRule(rule, values, context.reading))),
    ...toSoftDoubts(successful ? undefined : 'the extractor reported that it did not succeed'),
    ...toSoftDoubts(confidence === 'low' ? 'the extractor reported low confidence' : undefined),
  ];
  return {
    valid: doubts.length === 0,
    retry:
      doubts.some(({ kind }) => kind === 'soft') && !doubts.some(({ kind }) => kind === 'missing'),
    fields: Object.fromEntries(
      judged.map(([name, verdict]) => [name, toFieldReport(verdict, transcription)]),
    ),
    reasons: doubts.map(({ reason }) => reason),
  };
}

function toSoftDoubts(reason: string | undefined): Doubt[] {
  return reason === undefined ? [] : [{ kind: 'soft', reason }];
}

/** Adds where on the page the value stands, in a unit that does not depend on the engine. */
function onPage(evidence: Evidence, { pages }: Transcription): Evidence {
  const page = pages.find(({ number }) => number === evidence.page);
  const relativeBox = page && evidence.box && toRelativeBox(evidence.box, page);
  return relativeBox ? { ...evidence, relativeBox } : evidence;
}

function toFieldReport(
  { doubt, evidence }: FieldVerdict,
  transcription: Transcription,
): GateVerdict['fields'][string] {
  return {
    ok: doubt === undefined,
    ...(doubt && { reason: doubt.reason }),
    ...(evidence && { evidence: onPage(evidence, transcription) }),
  };
}
