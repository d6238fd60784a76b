import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '../../lib/time.ts';
import { unlessMissing } from './code.ts';

/** Removes what killed processes left half written. No put takes a day: what is younger may still be in the making. */
export async function sweep(incoming: string): Promise<void> {
  for await (const { name } of await opendir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch(unlessMissing);
    if (found && Date.now() - found.mtimeMs > DAY) await rm(path, { force: true });
  }
}
