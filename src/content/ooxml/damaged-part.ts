import { PermanentError } from '../../errors.ts';

/** A part of a document cannot be inflated. What came before the damage may still be used. */
export class DamagedPartError extends PermanentError {
  constructor(part: string, reason: string, options?: ErrorOptions) {
    super('INVALID_FILE', `${part} is damaged: ${reason}`, options);
  }
}
