import { z } from 'zod';
import { type Confidence, confidence } from '../../domain/extraction.ts';
import type { FieldKind } from '../../domain/schema/field.ts';
import type { DocumentSchema } from '../../domain/schema/index.ts';
import { parseAnswer } from './json.ts';
import { describeFieldKind } from './kinds.ts';

export interface ModelAnswer {
  successful: boolean;
  confidence: Confidence;
  fields: Record<string, unknown>;
  /** Field name → the text from which the model says it read the value. */
  quotes: Record<string, string>;
  /** Problems with the answer, worded so that the model can fix them. */
  problems: string[];
}

/** Takes only the fields of the schema from a model's answer. */
export function readAnswer(content: string, schema: DocumentSchema): ModelAnswer {
  try {
    const answer = envelope.parse(parseAnswer(content));
    const problems: string[] = [];
    const names = Object.keys(schema.fields);
    const fields = collect(names, (name) => fieldValue(name, schema, answer.fields, problems));
    const quotes = collect(
      Object.keys(fields),
      (name) => quote.safeParse(own(answer.evidence, name)).data,
    );
    return {
      successful: answer.extraction_successful,
      confidence: answer.confidence,
      fields,
      quotes,
      problems,
    };
  } catch (error) {
    return {
      successful: false,
      confidence: 'low',
      fields: {},
      quotes: {},
      problems: [describeProblem(error)],
    };
  }
}

/** The type named in an answer, if it is one of the offered types. */
export function readChoice(content: string, names: readonly string[]): string | null {
  try {
    const { type } = z.object({ type: z.string() }).parse(parseAnswer(content));
    return names.includes(type) ? type : null;
  } catch {
    return null;
  }
}

const record = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const envelope = z.object({
  extraction_successful: z.boolean(),
  confidence,
  fields: record,
  evidence: record.optional().catch(undefined),
});
const quote = z.string().trim().min(1).max(1_000);
const MOST_LINES = 1_000;

function fieldValue(
  name: string,
  schema: DocumentSchema,
  answered: object,
  problems: string[],
): unknown {
  const field = schema.fields[name];
  const value = own(answered, name);
  if (!field || isNothing(value)) return undefined;
  if (field.kind !== 'lines') return checked(name, field.kind, value, problems);
  const lines = z.array(record).max(MOST_LINES).safeParse(value);
  if (!lines.success) problems.push(`fields.${name}: ${describeProblem(lines.error)}`);
  const rows = (lines.data ?? []).map((line, i) =>
    lineOf(`${name}[${i}]`, line, field.columns ?? {}, problems),
  );
  const stated = rows.filter((row) => Object.keys(row).length > 0);
  return stated.length ? stated : undefined;
}

function lineOf(
  path: string,
  line: object,
  columns: Record<string, FieldKind>,
  problems: string[],
): Record<string, unknown> {
  return collect(Object.keys(columns), (column) => {
    const value = own(line, column);
    return isNothing(value)
      ? undefined
      : checked(`${path}.${column}`, columns[column] ?? 'text', value, problems);
  });
}

function checked(path: string, kind: FieldKind, value: unknown, problems: string[]): unknown {
  const { success, data } = describeFieldKind(kind).value.safeParse(value);
  if (!success)
    problems.push(`fields.${path}: not a valid ${kind} (${describeFieldKind(kind).format})`);
  return data;
}

function collect<Value>(
  names: string[],
  read: (name: string) => Value | undefined,
): Record<string, Value> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function own(object: object | undefined, name: string): unknown {
  return object && Object.getOwnPropertyDescriptor(object, name)?.value;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function describeProblem(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error).slice(0, 1_000);
  return error instanceof Error ? error.message.slice(0, 1_000) : String(error);
}
