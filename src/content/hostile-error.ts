import { PermanentError } from '../errors.ts';

/** The file is built to do harm. It is refused, and no second engine is tried on it. */
export class HostileError extends PermanentError {
  constructor(reason: string) {
    super('INVALID_FILE', reason);
  }
}
