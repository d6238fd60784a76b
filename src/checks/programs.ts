import { locate, programs } from '../content/programs/index.ts';
import { keys } from '../lib/keys.ts';
import type { Finding } from './check.ts';

/** Programs that Millrace uses where they are installed. None is required. */
export async function examinePrograms(find = locate): Promise<Finding> {
  const found = keys(programs).map((name) => {
    const { purpose, package: debian } = programs[name];
    const path = find(name);
    return path
      ? `${name} at ${path}`
      : `${name} not found, used for ${purpose} (Debian: ${debian})`;
  });
  return { found: found.join('; ') };
}
