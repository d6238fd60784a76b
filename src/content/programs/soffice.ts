import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SECOND } from '../../lib/time.ts';
import { locate } from './index.ts';
import { officeProfile } from './office-profile.ts';
import { runProgram } from './run-program.ts';

export interface ConvertOptions {
  extension: string;
  /** Without a filter, LibreOffice takes what is damaged for plain text. */
  filter: string;
  /** Output format, with a filter if the usual one is not wanted: `pdf`, `txt:Text`. */
  to: string;
  timeoutMs?: number;
  maxBytes?: number;
}

const usual = { timeoutMs: 60 * SECOND, maxBytes: 2 ** 28 };
/** With a new profile the program asks to be started once more. */
const restartCode = 81;

/**
 * Converts a document with LibreOffice while `use` reads the files that it made. Undefined if the
 * program is not installed or makes nothing. Each run has a profile of its own, without macros and
 * without network.
 */
export async function withConverted<Result>(
  path: string,
  { extension, filter, to, timeoutMs = usual.timeoutMs, maxBytes = usual.maxBytes }: ConvertOptions,
  use: (files: string[]) => Promise<Result>,
): Promise<Result | undefined> {
  const program = locate('soffice');
  if (program === undefined) return undefined;
  const directory = await mkdtemp(join(dirname(path), 'soffice-'));
  try {
    const source = join(directory, `document.${extension}`);
    const output = join(directory, 'output');
    const profile = join(directory, 'profile');
    await mkdir(join(profile, 'user'), { recursive: true });
    await writeFile(join(profile, 'user/registrymodifications.xcu'), officeProfile);
    await copyFile(path, source);
    const args = [
      `-env:UserInstallation=${pathToFileURL(profile)}`,
      '--headless',
      '--norestore',
      `--infilter=${filter}`,
      ...['--convert-to', to, '--outdir', output, source],
    ];
    const run = () => runProgram(engineOf(program), args, { directory, timeoutMs, maxBytes });
    const { code } = await run();
    if (code === restartCode) await run();
    const files = existsSync(output) ? (await readdir(output)).toSorted() : [];
    return files.length > 0 ? await use(files.map((file) => join(output, file))) : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** `soffice` is a script that starts others; the engine itself can be killed with its parent. */
function engineOf(program: string): string {
  const engine = join(dirname(program), 'soffice.bin');
  return existsSync(engine) ? engine : program;
}
