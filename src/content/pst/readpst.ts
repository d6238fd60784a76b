import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PermanentError } from '../../errors.ts';
import { MINUTE } from '../../lib/time.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { locate } from '../programs/index.ts';
import { runProgram } from '../programs/run-program.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';

const timeoutMs = 10 * MINUTE;

export interface Rescued {
  /** Paths below `directory`, in the order of their folders and numbers. */
  files: string[];
  directory: string;
  /** Why it did not come to its end, if it did not. */
  failure: string | undefined;
}

/**
 * Extracts a mailbox with `readpst`, which also finds items that the index does not lead to.
 * Undefined if it is not installed.
 */
export async function rescue({
  path,
  directory,
  limits,
}: UnpackInput): Promise<Rescued | undefined> {
  const program = locate('readpst');
  if (program === undefined) return undefined;
  const output = join(directory, 'readpst');
  await mkdir(output);
  // One file per item, without copies of RTF bodies, deleted items too, in one process.
  const args = ['-e', '-b', '-D', '-q', '-j', '0', '-o', output, path];
  const limit = { directory: output, timeoutMs, maxBytes: limits.bytes };
  const { code, output: printed, stopped } = await runProgram(program, args, limit);
  const ending = printed.split('\n').at(-1) || `exit code ${code}`;
  return {
    files: (await listFiles(output, '')).toSorted(inOrder),
    directory: output,
    failure: code === 0 ? undefined : (stopped ?? ending),
  };
}

const inOrder = new Intl.Collator('en', { numeric: true }).compare;

async function listFiles(directory: string, below: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(directory, below), { withFileTypes: true })) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory()) files.push(...(await listFiles(directory, path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}

export async function* takeRescued(
  { files, directory: from, failure }: Rescued,
  { directory, limits, skip }: UnpackInput,
): AsyncGenerator<UnpackedEntry> {
  const budget = new Budget(limits);
  try {
    for (const [position, file] of files.entries()) {
      if (position < skip) continue;
      const write = async (path: string) => {
        const { size } = await stat(join(from, file));
        budget.check(size);
        await rename(join(from, file), path);
        budget.spend(size);
      };
      yield await makeEntryFile({ position, name: nameOf(file) }, directory, write);
    }
  } finally {
    await rm(from, { recursive: true, force: true });
  }
  if (failure !== undefined)
    throw new PermanentError('INVALID_FILE', `readpst ended early: ${failure}`);
}

/** The first folder is named after the file of the mailbox. */
function nameOf(file: string): string {
  return file.split('/').slice(1).join('/') || file;
}
