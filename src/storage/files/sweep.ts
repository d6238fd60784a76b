import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '../../lib/time.ts';
import { unlessMissing } from './write.ts';

/**
 * Removes partial files of killed processes. Younger files may belong to a put that is still
 * running; no put takes a day.
 */
export async function sweep(incoming: string): Promise<void> {
  for await (const { name } of await opendir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch(unlessMissing);
    if (found && Date.now() - found.mtimeMs > DAY) await rm(path, { force: true });
  }
}
