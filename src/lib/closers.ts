/** Closes resources once, in reverse order of opening. Throws the first error after trying all. */
export class Closers {
  readonly #stack: (() => unknown)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => unknown): void {
    this.#stack.push(close);
  }

  close(): Promise<void> {
    this.#closing ??= this.#run();
    return this.#closing;
  }

  async #run(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#stack.pop(); close; close = this.#stack.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
