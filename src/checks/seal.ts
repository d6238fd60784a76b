import { SetupError } from '../errors.ts';
import type { Seal } from '../lib/seal.ts';
import type { Finding } from './check.ts';

/** A missing key is only a warning: not every installation stores secrets. */
export async function examineSeal({ seal }: Seal): Promise<Finding> {
  try {
    seal('a secret');
    return { found: 'secrets can be encrypted' };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return { found: error.message, fix: error.hint };
  }
}
