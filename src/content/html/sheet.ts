import { decodeEntities } from './entities.ts';

const gaps = ['', ' ', '\t', '\n', '\n\n'] as const;
type Gap = (typeof gaps)[number];

const paragraphs = 'p h1 h2 h3 h4 h5 h6 blockquote pre table hr';
const lines = 'br div tr li ul ol dl dt dd section article header footer center';
const breaks: ReadonlyMap<string, Gap> = new Map([
  ...paragraphs.split(' ').map((name): [string, Gap] => [name, '\n\n']),
  ...lines.split(' ').map((name): [string, Gap] => [name, '\n']),
]);

/** Collects text as tags lay it out, without line wrapping. Adjacent gaps merge into the widest. */
export class Sheet {
  readonly #pieces: string[] = [];
  #gap: Gap = '';
  #preformatted = false;
  /** State of the current table cell: no text yet, and more than one line. */
  #cell = { empty: false, broken: false };

  write(html: string): void {
    const text = decodeEntities(html);
    const written = this.#preformatted ? text.split('\n') : [text.replace(/\s+/g, ' ')];
    for (const [i, line] of written.entries()) {
      if (i > 0) this.#widen('\n');
      this.#put(line);
    }
  }

  /** Processes a tag name; a leading slash marks a closing tag. */
  mark(tag: string): void {
    const name = tag.replace('/', '');
    const opens = tag === name;
    if (name === 'td' || name === 'th') this.#markCell(opens);
    else if (name === 'tr' || name === 'table' || !this.#cell.empty)
      this.#widen(breaks.get(name) ?? '');
    if (tag === '/table') this.#cell.broken = true;
    if (name === 'pre') this.#preformatted = opens;
    if (tag === 'li') this.#put('- ');
  }

  text(): string {
    return this.#pieces.join('');
  }

  #put(text: string): void {
    if (/^\s/.test(text)) this.#widen(' ');
    const words = text.trim();
    if (words === '') return;
    if (this.#gap.startsWith('\n') && !this.#cell.empty) this.#cell.broken = true;
    this.#pieces.push(this.#pieces.length === 0 ? '' : this.#gap, words);
    this.#cell.empty = false;
    this.#gap = /\s$/.test(text) ? ' ' : '';
  }

  /** Line breaks at the edges of a single-line cell must not break the table row. */
  #markCell(opens: boolean): void {
    if (opens || this.#cell.empty || this.#cell.broken) this.#widen('\t');
    else this.#gap = '\t';
    this.#cell = { empty: opens, broken: !opens && this.#cell.broken };
  }

  #widen(gap: Gap): void {
    if (gaps.indexOf(gap) > gaps.indexOf(this.#gap)) this.#gap = gap;
  }
}
