import { stripVTControlCharacters } from 'node:util';
import type { Ledger } from '../domain/batch-ledger.ts';
import { findHint } from '../domain/problem.ts';
import { keys } from '../lib/keys.ts';
import type { RunRecord } from './record.ts';

type Column = { title: string; of(record: RunRecord): string };

const field = (name: string) => (record: RunRecord) => formatValue(record.structuredData?.[name]);

const columns: Column[] = [
  { title: 'document', of: ({ name }) => name },
  { title: 'type', of: ({ documentType, mediaType }) => documentType ?? mediaType ?? '' },
  { title: 'pages', of: ({ pages }) => formatValue(pages) },
  { title: 'quality', of: ({ quality }) => quality?.toFixed(2) ?? '' },
  { title: 'path', of: ({ stages }) => stages.join(' → ') },
  { title: 'supplier', of: field('supplier_name') },
  { title: 'number', of: field('invoice_number') },
  { title: 'date', of: field('invoice_date') },
  {
    title: 'total',
    of: (record) => [field('total')(record), field('currency')(record)].filter(Boolean).join(' '),
  },
  { title: 'verdict', of: verdict },
];

/** The results as a table, one line per document, without control characters. */
export function resultTable(records: readonly RunRecord[]): string {
  if (records.length === 0) return 'No documents found.\n';
  const rows = [
    columns.map(({ title }) => title),
    ...records.map((record) => columns.map(({ of }) => plain(of(record)))),
  ];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => length(row[i] ?? ''))));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return `${lines.join('\n')}\n`;
}

function verdict(record: RunRecord): string {
  const { status, needsReview, problems, reasons, contents, partOf } = record;
  if (status !== 'completed')
    return `${status}: ${problems.at(-1)?.code ?? ''} ${problems.at(-1)?.message ?? ''}`.slice(
      0,
      100,
    );
  if (contents) return summarise(contents);
  if (partOf) return `part of ${partOf}`;
  return needsReview ? `review: ${reasons.slice(0, 2).join('; ')}`.slice(0, 100) : 'accepted';
}

/** What to do about the failures, once per code. */
export function hintsFor(records: readonly RunRecord[]): string {
  const failed = records.filter(({ status }) => status === 'failed');
  const codes = new Set(failed.flatMap(({ problems }) => problems.at(-1)?.code ?? []));
  const lines = [...codes].flatMap((code) => {
    const hint = findHint(code);
    return hint === null ? [] : `${code}: ${hint}`;
  });
  return lines.length > 0 ? `\n${lines.join('\n')}\n` : '';
}

const entryNouns = {
  documents: ['document', 'documents'],
  duplicate: ['duplicate', 'duplicates'],
  known: ['known file', 'known files'],
  skipped: ['skipped', 'skipped'],
  exception: ['exception', 'exceptions'],
} satisfies Record<keyof Omit<Ledger, 'seen'>, [one: string, many: string]>;

/** Summarises what the entries of a container became. */
function summarise(contents: Ledger): string {
  const parts = keys(entryNouns).flatMap((kind) =>
    contents[kind] > 0 ? formatCount(contents[kind], entryNouns[kind]) : [],
  );
  return [formatCount(contents.seen, ['entry', 'entries']), parts.join(', ')]
    .filter(Boolean)
    .join(': ');
}

function formatCount(count: number, [one, many]: readonly string[]): string {
  return `${count} ${count === 1 ? one : many}`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(2);
  return typeof value === 'string' ? value.slice(0, 32) : '';
}

/** Removes control characters from text of documents and vendors. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text of documents must not drive the terminal
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

function length(text: string): number {
  return [...text].length;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - length(text)));
}
