import { type Figure, missed, type Summary } from './figure.ts';

const layout = { width: 860, row: 34, left: 380, right: 70, top: 52 };
const colours = {
  met: '#2e7d5b',
  missed: '#b3541e',
  free: '#5b6b7a',
  target: '#222',
  spread: '#00000055',
};

type Compared = Figure & { ratio: Summary; against: string };

/**
 * The ratios as bars on a logarithmic scale, with the spread of the rounds and a mark at each
 * target.
 */
export function chart(figures: readonly Figure[]): string {
  const compared = figures.filter((figure): figure is Compared =>
    Boolean(figure.ratio && figure.against),
  );
  const values = compared.flatMap(({ ratio, target }) => [
    ratio.least,
    ratio.most,
    ...Object.values(target ?? {}),
  ]);
  const scale = logarithmic(Math.min(0.5, ...values), Math.max(2, ...values));
  const height = layout.top + compared.length * layout.row + 20;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${layout.width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<title>Millrace over its peers</title>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15">Millrace over its peer, in the same run (bar: median, line: spread, tick: target)</text>`,
    `<line x1="${scale(1)}" y1="${layout.top - 8}" x2="${scale(1)}" y2="${height - 14}" stroke="#bbb"/>`,
    `<text x="${scale(1)}" y="${layout.top - 12}" text-anchor="middle" fill="#666">1 ×</text>`,
    ...compared.map((figure, i) => bar(figure, layout.top + i * layout.row, scale)),
    '</svg>\n',
  ].join('\n');
}

function bar(figure: Compared, y: number, scale: (value: number) => number): string {
  const { what, against, ratio, target } = figure;
  const colour = !target ? colours.free : missed(figure) ? colours.missed : colours.met;
  const [from, to] = [scale(1), scale(ratio.median)].toSorted((a, b) => a - b) as [number, number];
  const middle = y + 10;
  const ticks = Object.values(target ?? {}).map(
    (value) =>
      `<line x1="${scale(value)}" y1="${y - 2}" x2="${scale(value)}" y2="${y + 22}" stroke="${colours.target}" stroke-width="2"/>`,
  );
  return [
    `<text x="16" y="${y + 9}">${escaped(what)}</text>`,
    `<text x="16" y="${y + 23}" fill="#777" font-size="10">against ${escaped(against)}</text>`,
    `<rect x="${from}" y="${y}" width="${Math.max(1, to - from)}" height="20" fill="${colour}"/>`,
    `<line x1="${scale(ratio.least)}" y1="${middle}" x2="${scale(ratio.most)}" y2="${middle}" stroke="${colours.spread}" stroke-width="4"/>`,
    ...ticks,
    `<text x="${layout.width - layout.right + 12}" y="${y + 14}">${ratio.median.toFixed(2)} ×</text>`,
  ].join('\n');
}

function logarithmic(least: number, most: number): (value: number) => number {
  const span = layout.width - layout.left - layout.right;
  return (value) => layout.left + (span * Math.log(value / least)) / Math.log(most / least);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
