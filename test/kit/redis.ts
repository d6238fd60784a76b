import { randomBytes } from 'node:crypto';

/** A BullMQ prefix that no other test uses. Its braces keep all keys in one slot of a Redis Cluster. */
export const uniquePrefix = (): string => `{test-${randomBytes(6).toString('hex')}}`;
