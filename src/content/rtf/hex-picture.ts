import type { TextWriter } from '../office/text-writer.ts';

/** Collects the hexadecimal digits of a picture, and marks its place when it ends. */
export class HexPicture {
  readonly #writer: TextWriter;
  #digits: string[] = [];
  #count = 0;

  constructor(writer: TextWriter) {
    this.#writer = writer;
  }

  write(digits: string): void {
    this.#digits.push(digits);
  }

  end(): void {
    const digits = this.#digits;
    this.#digits = [];
    this.#count += 1;
    this.#writer.picture(`pict-${this.#count}`, () =>
      Buffer.from(digits.join('').replace(/\s/g, ''), 'hex'),
    );
  }
}
