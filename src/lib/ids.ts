import { randomUUID } from 'node:crypto';

/** UUID version 7: ordered by creation time, so that new rows land at one end of an index. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  // randomUUID takes its random bits from a pool, which is fast; only time and version are
  // replaced.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return pattern.test(text);
}
