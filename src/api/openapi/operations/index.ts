import type { Operation } from '../operation.ts';
import { adminOperations } from './admin.ts';
import { documentOperations } from './documents.ts';
import { openOperations } from './open.ts';

/** Everything that callers can ask for. A test compares it with the routes. */
export const operations: readonly Operation[] = [...documentOperations, ...adminOperations, ...openOperations];
