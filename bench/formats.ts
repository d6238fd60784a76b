import { parseArgs } from 'node:util';
import { corpora } from '../test/kit/corpora.ts';
import { type Measured, measureFormats } from './formats/measure.ts';
import { putIntoDocs } from './put-into-docs.ts';

/** `npm run bench:formats [-- --check] [--docs] [--verbose]` */
const { values } = parseArgs({
  options: {
    /** Exit with an error if a target is missed. */
    check: { type: 'boolean', default: false },
    /** Write the table to docs/formats-quality.md. */
    docs: { type: 'boolean', default: false },
    /** List every file of the half that was looked at. */
    verbose: { type: 'boolean', default: false },
  },
});
if (!corpora) throw new Error('The corpora were not found. Set MILLRACE_CORPORA to their folder.');

/** Least mean recall of all files of a family. */
const targets: Record<string, number> = {
  docx: 0.95,
  odt: 0.95,
  rtf: 0.94,
  doc: 0.89,
  ppt: 0.86,
  xlsx: 0.9,
  xls: 0.9,
  xlsb: 0.85,
  pptx: 0.85,
};

const measured = await measureFormats(corpora);
if (values.verbose)
  for (const { file, half, recall, error = '' } of measured)
    if (half === 'looked at') console.log(recall.toFixed(3), file, error);
const rows = [...new Set(measured.map(({ family }) => family))].toSorted().map(summarize);
const head = ['family', 'files', 'recall', 'looked at', 'not looked at', 'target', ''];
const table = [head, head.map(() => '---'), ...rows]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n');
console.log(table);
if (values.docs) await putIntoDocs('formats-quality.md', table);
const missed = rows.filter((row) => row.at(-1) === 'missed');
if (values.check && missed.length > 0) process.exitCode = 1;

function summarize(family: string): string[] {
  const files = measured.filter((file) => file.family === family);
  const half = (name: Measured['half']) => files.filter((file) => file.half === name);
  const target = targets[family];
  const recall = mean(files);
  return [
    family,
    String(files.length),
    recall.toFixed(3),
    shown(half('looked at')),
    shown(half('not looked at')),
    target === undefined ? '–' : `≥ ${target.toFixed(2)}`,
    target === undefined ? '' : recall >= target ? 'met' : 'missed',
  ];
}

function shown(files: readonly Measured[]): string {
  return files.length === 0 ? '–' : `${mean(files).toFixed(3)} (${files.length})`;
}

function mean(files: readonly Measured[]): number {
  return files.reduce((sum, { recall }) => sum + recall, 0) / files.length;
}
