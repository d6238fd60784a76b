import { readFile, stat } from 'node:fs/promises';
import CFB from 'cfb';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';

/** It is read into memory. */
const maxBytes = 2 ** 29;

/** A compound file (OLE): a small file system in a file. */
export class CompoundFile {
  readonly #container: CFB.CFB$Container;

  constructor(container: CFB.CFB$Container) {
    this.#container = container;
  }

  /** A stream by its path from the root: `ObjectPool/_1/Package`. */
  stream(path: string): Buffer | undefined {
    const entry = CFB.find(this.#container, `/${path}`);
    if (entry?.type !== 2) return undefined;
    const { content } = entry;
    return Buffer.from(content as Uint8Array);
  }

  /** Paths of all streams, without the name of the root. */
  streams(): string[] {
    const { FullPaths, FileIndex } = this.#container;
    return FullPaths.flatMap((path, i) =>
      FileIndex[i]?.type === 2 ? [path.replace(/^[^/]*\//, '')] : [],
    );
  }
}

export async function openCompoundFile(path: string): Promise<CompoundFile> {
  if ((await stat(path)).size > maxBytes)
    throw new PermanentError('INVALID_FILE', `The document is larger than ${maxBytes} bytes`);
  return parseCompoundFile(await readFile(path));
}

export function parseCompoundFile(bytes: Buffer): CompoundFile {
  try {
    return new CompoundFile(CFB.read(bytes, { type: 'buffer' }));
  } catch (error) {
    const reason = describeError(error);
    throw new PermanentError('INVALID_FILE', `The document cannot be opened: ${reason}`, {
      cause: error,
    });
  }
}
