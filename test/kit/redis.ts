import { randomBytes } from 'node:crypto';

/** A prefix of keys in Redis that no other test uses. */
export const uniquePrefix = (): string => `test-${randomBytes(6).toString('hex')}`;
