import { SetupError } from '../errors.ts';
import type { Seal } from '../lib/seal.ts';
import type { Finding } from './check.ts';

/** Only those who keep secrets need the key. */
export async function examineSeal({ seal }: Seal): Promise<Finding> {
  try {
    seal('a secret');
    return { found: 'secrets can be sealed' };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { found: error.message, fix: error.hint };
  }
}
