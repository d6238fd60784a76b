import { MINUTE, monotonicNow, SECOND } from '../lib/time.ts';

interface AttemptsOptions {
  /** Failed ones within the window, of one address. */
  most?: number;
  windowMs?: number;
  /** Addresses remembered; beyond that the oldest is forgotten. */
  addresses?: number;
  now?: () => number;
}

/** Failed logins by address: after a few in a row one has to wait. */
export class Attempts {
  readonly #failed = new Map<string, number[]>();
  readonly #options: Required<AttemptsOptions>;

  constructor(options: AttemptsOptions = {}) {
    this.#options = { most: 5, windowMs: MINUTE, addresses: 10_000, now: monotonicNow, ...options };
  }

  /** Seconds until another attempt is heard; 0 = at once. */
  waitOf(address: string): number {
    const { most, windowMs, now } = this.#options;
    const recent = this.#recent(address);
    const decisive = recent.at(-most);
    return decisive === undefined ? 0 : Math.ceil((decisive + windowMs - now()) / SECOND);
  }

  fail(address: string): void {
    const recent = [...this.#recent(address), this.#options.now()];
    this.#failed.delete(address);
    this.#failed.set(address, recent.slice(-this.#options.most));
    if (this.#failed.size <= this.#options.addresses) return;
    for (const [oldest] of this.#failed) {
      this.#failed.delete(oldest);
      break;
    }
  }

  succeed(address: string): void {
    this.#failed.delete(address);
  }

  #recent(address: string): number[] {
    const since = this.#options.now() - this.#options.windowMs;
    return (this.#failed.get(address) ?? []).filter((at) => at > since);
  }
}
