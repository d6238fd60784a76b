import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { monotonicNow } from '../../lib/time.ts';

/** How far the child may be ahead of its parent. A single larger entry is always allowed. */
const most = { entries: 1000, bytes: 2 ** 28 };
const pollMs = 20;
/** How soon a request to stop is noticed. */
const lookEveryMs = 200;

/** What the parent tells its child: how many entries it has taken, and whether to stop. */
const progress = z.object({ taken: z.int(), stop: z.boolean() });
type Progress = z.infer<typeof progress>;

/** Written by the parent before the child starts and after each group of entries. */
export async function reportProgress(directory: string, report: Progress): Promise<void> {
  const path = join(directory, 'progress');
  await writeFile(`${path}.new`, JSON.stringify(report));
  await rename(`${path}.new`, path);
}

/** Entries that were handed over and that the parent has not taken yet. Used by the child. */
export class Backlog {
  readonly #path: string;
  #sizes: number[] = [];
  #bytes = 0;
  #taken = 0;
  #lookedAt = monotonicNow();

  constructor(directory: string) {
    this.#path = join(directory, 'progress');
  }

  /** Waits while there is too much. Fails if the parent is gone and with it the directory. */
  async add(bytes: number): Promise<'go on' | 'stop'> {
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    if (!this.#isFull() && monotonicNow() - this.#lookedAt < lookEveryMs) return 'go on';
    for (;;) {
      const { taken, stop } = progress.parse(JSON.parse(await readFile(this.#path, 'utf8')));
      for (const size of this.#sizes.splice(0, taken - this.#taken)) this.#bytes -= size;
      this.#taken = taken;
      this.#lookedAt = monotonicNow();
      if (stop) return 'stop';
      if (!this.#isFull()) return 'go on';
      await delay(pollMs);
    }
  }

  #isFull(): boolean {
    if (this.#sizes.length <= 1) return false;
    return this.#sizes.length > most.entries || this.#bytes > most.bytes;
  }
}
