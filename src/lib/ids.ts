import { randomUUID } from 'node:crypto';

/** UUID version 7: ordered by time of making, so that new rows land at one end of an index. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // Of version 4, which draws its random bits from a pool, all behind the version is kept.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return pattern.test(text);
}
