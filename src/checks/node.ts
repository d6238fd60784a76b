import { SetupError } from '../errors.ts';
import { version } from '../version.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const minimum = '20.19.0';

export async function examineNode(): Promise<Finding> {
  if (!isAtLeast(process.version, minimum))
    throw new SetupError(
      `Node.js ${process.version} is too old.`,
      `Install Node.js ${minimum} or newer.`,
    );
  return { found: `Millrace ${version} on Node.js ${process.version}` };
}
