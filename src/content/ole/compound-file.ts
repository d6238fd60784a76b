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

  /** A storage, such as that of an embedded object, as a compound file of its own. */
  storage(path: string): Buffer {
    const copy = CFB.utils.cfb_new();
    for (const stream of this.streams().filter((name) => name.startsWith(`${path}/`)))
      CFB.utils.cfb_add(copy, stream.slice(path.length), this.stream(stream) ?? Buffer.alloc(0));
    return Buffer.from(CFB.write(copy, { type: 'buffer' }));
  }

  /** Paths of all streams, without the name of the root. */
  streams(): string[] {
    const { FullPaths, FileIndex } = this.#container;
    return FullPaths.flatMap((path, i) =>
      FileIndex[i]?.type === 2 ? [path.replace(/^[^/]*\//, '')] : [],
    );
  }
}

export function isCompoundFile(bytes: Buffer): boolean {
  return bytes.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1';
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
