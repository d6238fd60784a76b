import { isDiskFull } from '../lib/disk-full.ts';

/** What is known of the room in storage that cannot be asked: it is full from the put that found none until one that did. */
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
