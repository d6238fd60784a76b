import { randomBytes } from 'node:crypto';

/** A Redis key prefix that no other test uses. */
export const uniquePrefix = (): string => `test-${randomBytes(6).toString('hex')}`;
