import {
  type FoundNotation,
  findAmount,
  findCurrency,
  findDate,
  findIban,
  findVatId,
} from './notations.ts';
import type { FieldSchema } from './request.ts';

/** Fills a schema by simple rules: values follow their label, line items are text and numbers. */
export function findValues(text: string, schema: FieldSchema): object {
  const fields = Object.entries(schema.properties.fields?.properties ?? {});
  const found = new Map(fields.map(([name, field]) => [name, findField(name, field, text)]));
  const missing = fields.map(([name]) => name).filter((name) => !found.get(name));
  return {
    extraction_successful: missing.length < fields.length,
    confidence:
      missing.length === 0 ? 'high' : missing.length * 2 < fields.length ? 'medium' : 'low',
    missing_fields: missing,
    fields: Object.fromEntries(fields.map(([name]) => [name, found.get(name)?.value ?? null])),
    evidence: Object.fromEntries(fields.map(([name]) => [name, found.get(name)?.text ?? null])),
  };
}

function findField(
  name: string,
  { type, items }: FieldSchema,
  text: string,
): FoundNotation | undefined {
  if (type.includes('array')) return items && findLines(items, text);
  if (/currency/.test(name)) return findCurrency(text);
  if (/iban/.test(name)) return findIban(text);
  if (/(vat|tax)_?(id|number)/.test(name)) return findVatId(text);
  const find = type.includes('number')
    ? findAmountPastRate
    : /date/.test(name)
      ? findDate
      : findText;
  return afterLabel(name, text).map(find).find(Boolean);
}

function findAmountPastRate(text: string): FoundNotation | undefined {
  return findAmount(text.replace(/\d+(?:[.,]\d+)? ?%/, ''));
}

function findText(text: string): FoundNotation | undefined {
  return { value: text.trim(), text: text.trim() };
}

const synonyms: Record<string, string> = {
  number: '(?:number|no\\.?|nr\\.?|#)',
  supplier: '(?:supplier|seller|vendor|from)',
  customer: '(?:customer|buyer|bill to)',
  amount: '(?:amount)?',
  name: '(?:name)?',
  vat: '(?:vat|tax)',
};

/** Text that follows a field's label on the same line. */
function afterLabel(name: string, text: string): string[] {
  const words = name.split('_').map((word) => synonyms[word] ?? word.replace(/[^a-z0-9]/gi, ''));
  const gap = '[^\\S\\n]*';
  const label = new RegExp(`^${gap}${words.join(gap)}(?![a-z])${gap}:?${gap}(\\S.*)$`, 'gim');
  return [...text.matchAll(label)].flatMap(([, rest]) => rest ?? []);
}

const LINE = /^(\D.*?)((?:\s+-?[\d.,]+){2,})$/gm;

function findLines({ properties }: FieldSchema, text: string): FoundNotation | undefined {
  const columns = Object.entries(properties);
  const described = columns
    .filter(([, { type }]) => !type.includes('number'))
    .map(([name]) => name);
  const counted = columns.filter(([, { type }]) => type.includes('number')).map(([name]) => name);
  const matches = [...text.matchAll(LINE)];
  const value = matches.map(([, words = '', numbers = '']) => {
    const amounts = numbers.trim().split(/\s+/).slice(-counted.length);
    return Object.fromEntries([
      ...described.map((name, i) => [name, i === 0 ? words.trim() : null]),
      ...counted.map((name, i) => [name, findAmount(amounts[i] ?? '')?.value ?? null]),
    ]);
  });
  return value.length ? { value, text: matches[0]?.[0].trim() ?? '' } : undefined;
}
