import { basename } from 'node:path/posix';
import { printable } from '../../lib/printable.ts';
import type { Omission } from '../container.ts';
import { type CompoundFile, isCompoundFile, parseCompoundFile } from '../ole/compound-file.ts';
import { parseOle10Native } from './ole10-native.ts';

export interface EmbeddedFile {
  name: string;
  bytes: Buffer;
}

/** Streams that make a compound file a document of its own. */
const documents: Record<string, string> = {
  Workbook: 'xls',
  Book: 'xls',
  WordDocument: 'doc',
  'PowerPoint Document': 'ppt',
  EncryptedPackage: 'bin',
  VisioDocument: 'vsd',
  '__properties_version1.0': 'msg',
};

/** The file inside an embedded object, or why there is none. `name` is that of the object. */
export function unwrapObject(name: string, bytes: Buffer): EmbeddedFile | Omission {
  if (bytes.length === 0) return { kind: 'skipped', reason: 'The embedded object is empty' };
  return isCompoundFile(bytes)
    ? unwrapCompoundFile(name, bytes, parseCompoundFile(bytes))
    : { name, bytes };
}

function unwrapCompoundFile(
  name: string,
  bytes: Buffer,
  file: CompoundFile,
): EmbeddedFile | Omission {
  const own = withoutExtension(name);
  const native = file.stream('\u0001Ole10Native');
  if (native) {
    const found = parseOle10Native(native.subarray(4));
    if (found) return { name: safeName(found.name) || own, bytes: found.bytes };
  }
  const content = file.stream('Package') ?? file.stream('CONTENTS') ?? file.stream('Contents');
  if (content && content.length > 0) return { name: own, bytes: content };
  const stream = Object.keys(documents).find((known) => file.stream(known) !== undefined);
  if (stream !== undefined) return { name: `${own}.${documents[stream]}`, bytes };
  const reason = 'The embedded object holds no file, such as a formula or a control';
  return { kind: 'skipped', reason };
}

function withoutExtension(name: string): string {
  return name.replace(/\.\w{1,5}$/, '');
}

/** Names in objects are paths on the machine of their author. */
function safeName(path: string): string {
  return printable(basename(path.replaceAll('\\', '/'))).slice(0, 255);
}
