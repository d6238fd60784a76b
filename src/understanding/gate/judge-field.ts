import type { Evidence } from '../../domain/extraction.ts';
import type { Field, FieldKind, ValueKind } from '../../domain/schema/field.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import type { EmbeddedFile } from '../../domain/transcription.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { checkValue } from './check-value.ts';
import { findContradiction } from './contradictions.ts';
import { isPrinted, locate } from './locate.ts';
import { locateEmbedded } from './locate-embedded.ts';
import { locateSum } from './locate-sum.ts';
import { locateTerm } from './locate-term.ts';
import type { ValueLocation } from './value-location.ts';

/**
 * `missing`: a critical field is absent. `soft`: another extractor may do better. `hard`: the
 * document itself is unclear, so no extractor can help.
 */
export interface Doubt {
  kind: 'missing' | 'soft' | 'hard';
  reason: string;
}

export interface FieldVerdict {
  doubt?: Doubt;
  evidence?: Evidence;
}

export interface GateContext {
  reading: LayoutReading;
  embedded: readonly EmbeddedFile[];
  schema: DocumentSchema;
  now: Date;
}

/**
 * Minimum word confidence. A word's confidence is the average over its letters, so in a longer word
 * one wrong letter shows less. Text therefore needs a higher minimum than numbers.
 */
const legible: Partial<Record<FieldKind, number>> = { amount: 0.8, number: 0.8, date: 0.8 };
const legibleText = 0.85;

export function judgeField(name: string, value: unknown, context: GateContext): FieldVerdict {
  const { schema } = context;
  const field = schema.fields[name];
  const isCritical = schema.critical.includes(name);
  if (!field || value === undefined || value === null || value === '') {
    return isCritical ? { doubt: { kind: 'missing', reason: 'is missing' } } : {};
  }
  if (field.kind === 'summary') return {};
  if (field.kind === 'lines') return judgeLines(value, field.columns ?? {}, context);
  return judgeValue({ name, value, field: { ...field, kind: field.kind }, isCritical }, context);
}

/** Judges a value that a person has set: it need not stand in the document. */
export function judgeSettled(
  name: string,
  value: unknown,
  { schema, now }: Pick<GateContext, 'schema' | 'now'>,
): FieldVerdict {
  const field = schema.fields[name];
  if (!field || value === undefined || value === null || value === '') {
    const isMissing = schema.critical.includes(name);
    return isMissing ? { doubt: { kind: 'missing', reason: 'is missing' } } : {};
  }
  const reason = field.kind === 'lines' ? undefined : checkValue(value, field, now);
  return reason === undefined ? {} : { doubt: { kind: 'soft', reason } };
}

interface Judged {
  name: string;
  value: unknown;
  field: Pick<Field, 'pattern' | 'anyTime'> & { kind: ValueKind };
  isCritical: boolean;
}

function judgeValue(
  { name, value, field, isCritical }: Judged,
  context: GateContext,
): FieldVerdict {
  const { reading, embedded, schema, now } = context;
  const { kind } = field;
  const wrong = checkValue(value, field, now);
  if (wrong) return { doubt: { kind: 'soft', reason: wrong } };
  const stated = locateEmbedded(value, kind, embedded);
  const printed = locate(value, kind, reading) ?? locateDerived(name, value, reading)[0];
  const place = stated ?? printed;
  if (!place) return { doubt: notFound };
  const reason = stated
    ? checkPrinted(name, value, kind, reading)
    : (checkLegibility(place, kind, isCritical) ?? findContradiction(name, value, schema, reading));
  const evidence = stated ? alsoPrinted(stated, printed) : place.evidence;
  return { evidence, ...(reason && { doubt: { kind: 'hard', reason } }) };
}

/** A value of an embedded file, with its place on the pages if it is printed there as well. */
function alsoPrinted(stated: ValueLocation, printed: ValueLocation | undefined): Evidence {
  if (!printed) return stated.evidence;
  const { text, ...place } = printed.evidence;
  return { ...place, ...stated.evidence, printed: text };
}

const notFound: Doubt = { kind: 'soft', reason: 'was not found in the document' };

/** People read the page and machines read the embedded data, so both must state the same total. */
function checkPrinted(
  name: string,
  value: unknown,
  kind: ValueKind,
  reading: LayoutReading,
): string | undefined {
  const differs = name === 'total' && reading.lines.length > 0 && !isPrinted(value, kind, reading);
  return differs ? 'in the embedded data is not printed on the pages' : undefined;
}

function checkLegibility(
  { confidence }: ValueLocation,
  kind: FieldKind,
  isCritical: boolean,
): string | undefined {
  return isCritical && confidence < (legible[kind] ?? legibleText) ? 'is hard to read' : undefined;
}

function judgeLines(
  value: unknown,
  columns: Readonly<Record<string, FieldKind>>,
  context: GateContext,
): FieldVerdict {
  if (!Array.isArray(value)) return { doubt: { kind: 'soft', reason: 'is not a list' } };
  let evidence: Evidence | undefined;
  for (const [i, row] of value.entries()) {
    for (const [column, kind] of Object.entries(columns)) {
      const cell: unknown = row?.[column];
      if (
        cell === undefined ||
        cell === null ||
        cell === '' ||
        kind === 'lines' ||
        kind === 'summary'
      )
        continue;
      const doubt = judgeCell(cell, kind, context);
      if (doubt) return { doubt: { ...doubt, reason: `row ${i + 1}: ${column} ${doubt.reason}` } };
      evidence ??= findEvidence(context, cell, kind);
    }
  }
  return evidence ? { evidence } : {};
}

function judgeCell(cell: unknown, kind: ValueKind, context: GateContext): Doubt | undefined {
  const { reading, embedded, now } = context;
  const wrong = checkValue(cell, { kind }, now);
  if (wrong) return { kind: 'soft', reason: wrong };
  const isFound = locateEmbedded(cell, kind, embedded) || isPrinted(cell, kind, reading);
  return isFound ? undefined : notFound;
}

function findEvidence(
  { embedded, reading }: GateContext,
  value: unknown,
  kind: ValueKind,
): Evidence | undefined {
  const stated = locateEmbedded(value, kind, embedded);
  const printed = locate(value, kind, reading);
  return stated ? alsoPrinted(stated, printed) : printed?.evidence;
}

/** Locates the printed values that a computed value (a sum, a due date) is derived from. */
function locateDerived(name: string, value: unknown, reading: LayoutReading): ValueLocation[] {
  return [...locateSum(name, value, reading), ...locateTerm(name, value, reading)];
}
