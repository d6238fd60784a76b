import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { PermanentError } from '../../errors.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { extractArchive } from './seven-zip/index.ts';
import { unpackTar } from './tar.ts';
import { isTar } from './tar-header.ts';

/**
 * Unpacks a file that was compressed as one stream (bz2, xz, zst, Z): the entries of a tar, or the
 * file itself.
 */
export async function* unpackCompressed(
  input: UnpackInput,
  type: string,
): AsyncGenerator<UnpackedEntry> {
  const { path, directory, limits, skip, name } = input;
  const { size: bytes } = await stat(path);
  for await (const made of extractArchive({ path, type }, { directory, limits, bytes })) {
    if (!('file' in made) || made.error)
      throw new PermanentError('INVALID_FILE', `The file cannot be decompressed: ${made.error}`);
    const { file } = made;
    if (await startsWithTar(file)) {
      yield* unpackTar(createReadStream(file), input);
    } else if (skip === 0) {
      const entry = join(directory, '0');
      await rename(file, entry);
      yield { position: 0, name: withoutExtension(name), path: entry };
    }
    await rm(file, { force: true });
    return;
  }
  throw new PermanentError('INVALID_FILE', 'The file cannot be decompressed');
}

async function startsWithTar(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return isTar(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** `report.txt.xz` → `report.txt`. */
export function withoutExtension(name = ''): string {
  return basename(name, extname(name)) || 'content';
}
