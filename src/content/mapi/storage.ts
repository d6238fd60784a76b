import CFB from 'cfb';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';

/** A folder of a compound file (OLE). */
export interface Storage {
  streams: Map<string, Buffer>;
  storages: Map<string, Storage>;
}

/** Real files have fewer than ten levels. */
const maxDepth = 100;

export function parseStorage(bytes: Buffer): Storage {
  const { FullPaths, FileIndex } = readContainer(bytes);
  const root = emptyStorage();
  for (const [i, path] of FullPaths.entries()) {
    const entry = FileIndex[i];
    const [, ...names] = path.replace(/\/$/, '').split('/');
    const name = names.pop();
    if (!entry || name === undefined || names.length >= maxDepth) continue;
    const parent = names.reduce(findStorage, root);
    if (entry.type === 2) parent.streams.set(name, toBuffer(entry));
    else if (entry.type === 1) findStorage(parent, name);
  }
  return root;
}

/** Writes a storage as a compound file of its own. */
export function writeStorage(storage: Storage): Buffer {
  const container = CFB.utils.cfb_new();
  addAll(container, '', storage);
  CFB.utils.cfb_del(container, '/\u0001Sh33tJ5');
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
}

function addAll(container: CFB.CFB$Container, path: string, storage: Storage): void {
  for (const [name, bytes] of storage.streams)
    CFB.utils.cfb_add(container, `${path}/${name}`, bytes, { unsafe: true });
  for (const [name, inner] of storage.storages) addAll(container, `${path}/${name}`, inner);
}

function readContainer(bytes: Buffer): CFB.CFB$Container {
  try {
    return CFB.read(bytes, { type: 'buffer' });
  } catch (error) {
    const reason = describeError(error);
    throw new PermanentError('INVALID_FILE', `The message cannot be opened: ${reason}`, {
      cause: error,
    });
  }
}

function emptyStorage(): Storage {
  return { streams: new Map(), storages: new Map() };
}

function findStorage(parent: Storage, name: string): Storage {
  let found = parent.storages.get(name);
  if (!found) {
    found = emptyStorage();
    parent.storages.set(name, found);
  }
  return found;
}

/** Empty streams have no content at all. */
function toBuffer({ content }: CFB.CFB$Entry): Buffer {
  return Buffer.from((content as Uint8Array | undefined) ?? []);
}
