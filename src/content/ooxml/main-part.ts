import { PermanentError } from '../../errors.ts';
import { ofType, readRelationships } from './relationships.ts';
import type { ZipParts } from './zip-parts.ts';

/** The part that everything else hangs on: the body, the workbook or the presentation. */
export async function findMainPart(parts: ZipParts, usual: string): Promise<string> {
  const [main] = ofType(await readRelationships(parts, ''), 'officeDocument');
  const found = [main, usual].find((name) => name !== undefined && parts.has(name));
  if (found === undefined)
    throw new PermanentError('INVALID_FILE', `The document has no main part (${usual})`);
  return found;
}
