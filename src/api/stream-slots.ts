import { HttpError } from './http-error.ts';
import type { ApiSettings } from './settings.ts';

/** Caps open event streams: each holds a connection and polls the database. */
export class StreamSlots {
  readonly #limits: ApiSettings['streams'];
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(limits: ApiSettings['streams']) {
    this.#limits = limits;
  }

  /** Returns a function that gives the slot back. */
  take(keyId: string): () => void {
    const own = this.#open.get(keyId) ?? 0;
    if (own >= this.#limits.perKey) throw full(`The key has ${own} event streams open.`);
    if (this.#total >= this.#limits.total) throw full('This server has no event stream to spare.');
    this.#change(keyId, 1);
    return () => this.#change(keyId, -1);
  }

  #change(keyId: string, by: 1 | -1): void {
    const own = (this.#open.get(keyId) ?? 0) + by;
    if (own === 0) this.#open.delete(keyId);
    else this.#open.set(keyId, own);
    this.#total += by;
  }
}

function full(message: string): HttpError {
  return new HttpError(message, {
    status: 429,
    code: 'TOO_MANY_STREAMS',
    retryable: true,
    hint: 'Close one of them, or poll GET /v1/events with its cursor.',
    headers: { 'Retry-After': '10' },
  });
}
