import { isDiskFull } from '../lib/disk-full.ts';

/**
 * Tracks free space in storage that cannot report it: full after a put that failed for lack of
 * space, until one succeeds.
 */
export class Room {
  #full = false;

  get full(): boolean {
    return this.#full;
  }

  async during<T>(put: () => Promise<T>): Promise<T> {
    try {
      const result = await put();
      this.#full = false;
      return result;
    } catch (error) {
      this.#full ||= isDiskFull(error);
      throw error;
    }
  }
}
