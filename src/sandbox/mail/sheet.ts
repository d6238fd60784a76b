import { decodeEntities } from './entities.ts';

/** What can stand between two pieces of text, narrowest first. */
const gaps = ['', ' ', '\t', '\n', '\n\n'] as const;
type Gap = (typeof gaps)[number];

const paragraphs = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'table', 'hr'];
const lines = [
  'br',
  'div',
  'tr',
  'li',
  'ul',
  'ol',
  'dl',
  'dt',
  'dd',
  'section',
  'article',
  'header',
  'footer',
  'center',
];
const breaks: ReadonlyMap<string, Gap> = new Map([
  ...paragraphs.map((name): [string, Gap] => [name, '\n\n']),
  ...lines.map((name): [string, Gap] => [name, '\n']),
]);

/** Text as it is laid out by tags, on paper without width. Of gaps between two pieces the widest is written. */
export function openSheet() {
  const pieces: string[] = [];
  let gap: Gap = '';
  let preformatted = false;
  /** No text since the cell began; and whether it has more than one line. */
  const cell = { empty: false, broken: false };

  const widen = (other: Gap) => {
    if (gaps.indexOf(other) > gaps.indexOf(gap)) gap = other;
  };
  const put = (text: string) => {
    if (/^\s/.test(text)) widen(' ');
    const words = text.trim();
    if (words === '') return;
    if (gap.startsWith('\n')) cell.broken ||= !cell.empty;
    pieces.push(pieces.length === 0 ? '' : gap, words);
    cell.empty = false;
    gap = /\s$/.test(text) ? ' ' : '';
  };
  /** What ends with a cell of one line, or begins with a cell, does not break the row. */
  const markCell = (opens: boolean) => {
    if (opens || cell.empty || cell.broken) widen('\t');
    else gap = '\t';
    Object.assign(cell, { empty: opens, broken: opens ? false : cell.broken });
  };

  return {
    write(html: string) {
      const text = decodeEntities(html);
      if (!preformatted) return put(text.replace(/\s+/g, ' '));
      for (const [i, line] of text.split('\n').entries()) {
        if (i > 0) widen('\n');
        put(line);
      }
    },
    /** A tag by its name, with a slash before it where it closes. */
    mark(tag: string) {
      const name = tag.replace('/', '');
      const opens = tag === name;
      if (name === 'td' || name === 'th') return markCell(opens);
      const isTable = name === 'tr' || name === 'table';
      if (isTable || !cell.empty) widen(breaks.get(name) ?? '');
      if (tag === '/table') cell.broken = true;
      if (name === 'pre') preformatted = opens;
      if (tag === 'li') {
        put('-');
        gap = ' ';
      }
    },
    text: () => pieces.join(''),
  };
}
