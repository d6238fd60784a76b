import { printable } from '../../lib/printable.ts';
import type { LoadPicture, PictureTaker } from '../format.ts';

/** Collects the text of a page: paragraphs as lines, table rows as lines with tabs. */
export class TextWriter {
  readonly #limit: number;
  readonly #pictures: PictureTaker | undefined;
  #chunks: string[] = [];
  #length = 0;
  #last = '\n';
  /** Tables around the current position. */
  #tables = 0;
  #truncated = false;

  constructor(limit: number, pictures?: PictureTaker) {
    this.#limit = limit;
    this.#pictures = pictures;
  }

  /** A writer for a part of the same document, such as a note. */
  part(limit: number): TextWriter {
    return new TextWriter(limit, this.#pictures);
  }

  /** The limit was reached: nothing more is kept. */
  get isFull(): boolean {
    return this.#truncated;
  }

  get takesPictures(): boolean {
    return this.#pictures !== undefined;
  }

  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    if (text === '') return;
    const room = this.#limit - this.#length;
    if (text.length > room) this.#truncated = true;
    if (room <= 0) return;
    const kept = text.slice(0, room);
    this.#chunks.push(kept);
    this.#length += kept.length;
    this.#last = kept.at(-1) ?? this.#last;
  }

  /** Ends the line if there is one. In a table, where a row is one line, it only separates words. */
  endLine(): void {
    if (this.#last === '\n' || this.#last === '\t') return;
    if (this.#tables === 0) this.write('\n');
    else if (this.#last !== ' ') this.write(' ');
  }

  /** A blank line between sections. */
  endSection(): void {
    this.endLine();
    if (this.#length > 0) this.write('\n');
  }

  /** Writes text as a line of its own. */
  line(text: string): void {
    if (text.trim() === '') return;
    this.endLine();
    this.write(text);
    this.endLine();
  }

  /** Marks the place of a picture, if pictures are read. */
  picture(name: string, load: LoadPicture): void {
    this.write(this.#pictures?.add(name, load) ?? '');
  }

  openTable(): void {
    this.endLine();
    this.#tables += 1;
  }

  closeTable(): void {
    this.#tables = Math.max(0, this.#tables - 1);
    this.endLine();
  }

  /** Cells of a table inside a table are only separated by spaces. */
  endCell(): void {
    this.#dropSpace();
    this.write(this.#tables > 1 ? ' ' : '\t');
  }

  endRow(): void {
    this.#dropSpace('\t');
    if (this.#tables > 1) this.write(' ');
    else if (this.#last !== '\n') this.write('\n');
  }

  /** Removes one trailing separator. */
  #dropSpace(separator = ' '): void {
    if (this.#chunks.at(-1) !== separator) return;
    this.#chunks.pop();
    this.#length -= 1;
    this.#last = this.#chunks.at(-1)?.at(-1) ?? '\n';
  }

  toString(): string {
    return printable(this.#chunks.join('')).trimEnd();
  }
}
