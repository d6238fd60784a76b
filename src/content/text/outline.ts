import type { TextWriter } from '../office/text-writer.ts';

/** Deeper levels are not indented further: a line would be spaces only. */
const maxIndent = 20;

/** Writes nested data as lines such as `name: value`, indented by group. */
export class Outline {
  readonly #writer: TextWriter;
  #level = 0;

  constructor(writer: TextWriter) {
    this.#writer = writer;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  line(text: string): void {
    const indent = '  '.repeat(Math.min(this.#level, maxIndent));
    this.#writer.line(indent + text.replace(/\s+/g, ' ').trim());
  }

  /** Begins a group. One without a title is not indented. */
  open(title: string): void {
    if (title === '') return;
    this.line(title);
    this.#level += 1;
  }

  /** @param title That of the group. */
  close(title: string): void {
    if (title !== '') this.#level -= 1;
  }
}
