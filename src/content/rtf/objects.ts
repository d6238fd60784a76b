import { readFile } from 'node:fs/promises';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { parseOle10Native } from '../office/ole10-native.ts';
import { type DocumentObject, unpackObjects } from '../office/unpack-objects.ts';
import { walkRtf } from './walk.ts';

/** Unpacks the objects in an RTF document, which are written in hex. */
export async function* unpackRtf(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  yield* unpackObjects(listObjects(await readFile(input.path)), input);
}

function listObjects(source: Buffer): DocumentObject[] {
  const found: string[][] = [];
  let digits: string[] = [];
  const take = () => {
    if (digits.length > 0) found.push(digits);
    digits = [];
  };
  walkRtf(
    source,
    {
      text(text, { destination }) {
        if (destination === 'objdata') digits.push(text);
      },
      word: () => undefined,
      closed: ({ destination }) => destination === 'objdata' && take(),
      isDone: () => false,
    },
    new Set(['objdata']),
  );
  return found.map((hex, i) =>
    toObject(Buffer.from(hex.join('').replace(/\s/g, ''), 'hex'), i + 1),
  );
}

/** An OLE 1 object: version, kind, three strings with their length, then the data with its length. */
function toObject(bytes: Buffer, number: number): DocumentObject {
  const { className, data } = parseOle1(bytes);
  const file = className === 'Package' ? parseOle10Native(data) : undefined;
  const name = file?.name.replace(/^.*[\\/]/, '') || `object-${number}.bin`;
  return { name, read: () => file?.bytes ?? data };
}

function parseOle1(bytes: Buffer): { className: string; data: Buffer } {
  let at = 8;
  const next = () => {
    const length = at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0;
    const content = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    return content;
  };
  const className = next().toString('latin1').replace(/\0.*$/, '');
  next();
  next();
  return { className, data: next() };
}
