import type { PictureTaker } from '../format.ts';
import { TextWriter } from '../office/text-writer.ts';

/** The pages of a document while it is read, within one limit for all of them. */
export class OdfPages {
  readonly #pages: string[] = [];
  #left: number;
  #rowsLeft: number;
  #writer: TextWriter;
  #truncated = false;

  constructor(maxText: number, maxRows: number, pictures?: PictureTaker) {
    this.#left = maxText;
    this.#rowsLeft = maxRows;
    this.#writer = new TextWriter(maxText, pictures);
  }

  get writer(): TextWriter {
    return this.#writer;
  }

  get isFull(): boolean {
    return this.#truncated || this.#writer.isFull;
  }

  /** Counts a row of a sheet. Returns false if no more may be written. */
  takeRow(): boolean {
    this.#rowsLeft -= 1;
    this.#truncated ||= this.#rowsLeft < 0;
    return this.#rowsLeft >= 0;
  }

  /** Ends a sheet or slide. */
  endPage(): void {
    this.#truncated ||= this.#writer.isFull;
    this.#left -= this.#writer.length;
    this.#pages.push(this.#writer.toString());
    this.#writer = this.#writer.part(Math.max(0, this.#left));
  }

  /** All pages. Text after the last one, such as that of charts, belongs to it. */
  finish(): string[] {
    const rest = this.#writer.toString();
    const last = this.#pages.pop();
    return [...this.#pages, [last, rest].filter(Boolean).join('\n')];
  }
}
