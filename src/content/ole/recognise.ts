import type { Sample } from '../format.ts';
import { listRootNames } from './root-names.ts';

export type OleKind = 'doc' | 'xls' | 'ppt' | 'encrypted';

/** The stream that makes a compound file a document of this kind. */
const streams: Record<string, OleKind> = {
  EncryptedPackage: 'encrypted',
  WordDocument: 'doc',
  Workbook: 'xls',
  Book: 'xls',
  'PowerPoint Document': 'ppt',
};

const seen = new WeakMap<Sample, Promise<OleKind | undefined>>();

/** Recognises Office files before 2007 by their streams. Asked once per file for all families. */
export function recogniseOle(sample: Sample): Promise<OleKind | undefined> {
  let kind = seen.get(sample);
  if (!kind) {
    kind = recognise(sample);
    seen.set(sample, kind);
  }
  return kind;
}

const magic = 'd0cf11e0a1b11ae1';

async function recognise({ head, file }: Sample): Promise<OleKind | undefined> {
  if (head.toString('hex', 0, 8) !== magic) return undefined;
  const names = new Set(await listRootNames(await file()));
  const stream = Object.keys(streams).find((name) => names.has(name));
  return stream === undefined ? undefined : streams[stream];
}
