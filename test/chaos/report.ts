import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Row } from './wave.ts';

export interface Report {
  seed: number;
  date: string;
  machine: string;
  rows: Row[];
}

const results = fileURLToPath(new URL('results/', import.meta.url));
const document = fileURLToPath(new URL('../../docs/reliability-tests.md', import.meta.url));
const markers = { begin: '<!-- campaign -->', end: '<!-- /campaign -->' };

/** The last run, possibly incomplete, if it had this seed. */
export async function loadReport(seed: number): Promise<Report | undefined> {
  const text = await readFile(`${results}last.json`, 'utf8').catch(() => '{}');
  const report: Partial<Report> = JSON.parse(text);
  const { date = '', machine = '', rows = [] } = report;
  return report.seed === seed ? { seed, date, machine, rows } : undefined;
}

export async function saveReport(report: Report): Promise<void> {
  await mkdir(results, { recursive: true });
  await writeFile(`${results}last.json`, `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(`${results}last.md`, markdownOf(report));
}

/** Replaces the table of the last run in the documentation. */
export async function publishReport(report: Report): Promise<void> {
  const text = await readFile(document, 'utf8');
  const [before, rest = ''] = text.split(markers.begin);
  const [, after] = rest.split(markers.end);
  if (after === undefined) throw new Error(`${document} has no markers for the table`);
  await writeFile(
    document,
    `${before}${markers.begin}\n${markdownOf(report)}${markers.end}${after}`,
  );
}

const columns: [title: string, value: (row: Row) => string | number][] = [
  ['fault', ({ fault }) => fault],
  ['injected', ({ injected }) => injected],
  ['documents', ({ documents }) => documents],
  ['under way', ({ underWay }) => underWay],
  ['lasted', ({ lastedMs }) => seconds(lastedMs)],
  ['first progress', ({ firstProgressMs }) => seconds(firstProgressMs)],
  ['recovered', ({ recoveredMs }) => seconds(recoveredMs)],
  ['processes lost', ({ deaths }) => deaths],
  ['surplus calls', ({ surplusCalls }) => surplusCalls],
  ['failed', ({ failed }) => failed],
  ['innocents failed', ({ innocentsFailed }) => innocentsFailed],
  ['lost', ({ lost }) => lost],
  ['doubled', ({ doubled }) => doubled],
];

export function markdownOf({ seed, date, machine, rows }: Report): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const sum = (value: (row: Row) => number) => rows.reduce((total, row) => total + value(row), 0);
  return [
    `${date}, seed ${seed}, ${machine}: ${sum(({ injected }) => injected)} faults, ${sum(({ documents }) => documents)} documents, ` +
      `${sum(({ lost }) => lost)} lost, ${sum(({ doubled }) => doubled)} doubled, ${sum(({ wrong }) => wrong.length)} that ended wrongly.`,
    '',
    line(columns.map(([title]) => title)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(([, value]) => value(row)))),
    '',
  ].join('\n');
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`;
}
