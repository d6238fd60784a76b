import { type Figure, missed, type Summary, type Target } from './figure.ts';

const heads = ['what', 'ours', 'against', 'theirs', 'ratio', 'target', ''];

/** The figures as a table that is readable both in a terminal and as Markdown. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.what,
    `${spread(figure.ours)} ${figure.unit}`,
    figure.against ?? '–',
    figure.theirs ? spread(figure.theirs) : '–',
    figure.ratio ? `${spread(figure.ratio)} ×` : '–',
    figure.target ? bound(figure.target, figure.ratio ? '×' : figure.unit) : '–',
    figure.target ? (missed(figure) ? 'missed' : 'met') : '',
  ]);
  const widths = heads.map((_, i) =>
    Math.max(...[heads, ...rows].map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}

function bound({ atLeast, atMost }: Target, unit: string): string {
  return [
    atLeast === undefined ? '' : `≥ ${atLeast} ${unit}`,
    atMost === undefined ? '' : `≤ ${atMost} ${unit}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function spread({ median, least, most }: Summary): string {
  return least === most ? short(median) : `${short(median)} (${short(least)}–${short(most)})`;
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
