import { SetupError } from '../errors.ts';
import { describeError } from '../lib/describe-error.ts';
import { openClamd } from '../providers/clamd.ts';
import type { Finding } from './check.ts';

export async function examineScanner(address: string): Promise<Finding> {
  try {
    return { found: `${await openClamd(address).version()} at ${address}` };
  } catch (error) {
    throw new SetupError(
      `clamd at ${address} does not answer: ${describeError(error)}`,
      'Check MILLRACE_CLAMD, and that clamd listens there (TCPSocket or LocalSocket in clamd.conf). Documents wait until it does.',
    );
  }
}
