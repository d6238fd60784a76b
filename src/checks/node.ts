import { SetupError } from '../errors.ts';
import { version } from '../version.ts';
import type { Finding } from './check.ts';
import { isAtLeast } from './version.ts';

const least = '20.19.0';

export async function examineNode(): Promise<Finding> {
  if (!isAtLeast(process.version, least))
    throw new SetupError(`Node.js is ${process.version}.`, `Install Node.js ${least} or newer.`);
  return { found: `Millrace ${version} on Node.js ${process.version}` };
}
