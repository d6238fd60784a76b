import { PermanentError } from '../../errors.ts';
import type { UnpackedEntry } from '../container.ts';
import type { Format, Sample, UnpackInput } from '../format.ts';
import { isTar } from './tar-header.ts';

type Unpack = (input: UnpackInput) => AsyncIterable<UnpackedEntry>;

const listed = (type: string): Unpack =>
  async function* (input) {
    yield* (await import('./unpack-listed.ts')).unpackListed(input, type);
  };
const compressed = (type: string): Unpack =>
  async function* (input) {
    yield* (await import('./compressed.ts')).unpackCompressed(input, type);
  };

interface Archive {
  extensions: readonly string[];
  unpack: Unpack;
}

const rar = 'application/x-rar-compressed';
const together = 'Upload all volumes of the split archive together.';

/** By media type. Types and extensions of the format derive from it. */
const archives: Readonly<Record<string, Archive>> = {
  'application/zip': {
    extensions: ['zip'],
    async *unpack(input) {
      yield* (await import('./zip.ts')).unpackZip(input);
    },
  },
  'application/x-7z-compressed': {
    extensions: ['7z'],
    async *unpack(input) {
      yield* (await import('./seven-zip-archive.ts')).unpackSevenZip(input);
    },
  },
  [rar]: {
    extensions: ['rar'],
    async *unpack(input) {
      yield* (await import('./rar.ts')).unpackRar(input);
    },
  },
  'application/x-tar': {
    extensions: ['tar'],
    async *unpack(input) {
      const { createReadStream } = await import('node:fs');
      yield* (await import('./tar.ts')).unpackTar(createReadStream(input.path), input);
    },
  },
  'application/gzip': {
    extensions: ['gz', 'tgz'],
    async *unpack(input) {
      yield* (await import('./gzip.ts')).unpackGzip(input);
    },
  },
  'application/x-bzip2': { extensions: ['bz2', 'tbz2'], unpack: compressed('bzip2') },
  'application/x-xz': { extensions: ['xz', 'txz'], unpack: compressed('xz') },
  'application/zstd': { extensions: ['zst'], unpack: compressed('zstd') },
  'application/x-compress': { extensions: ['z'], unpack: compressed('Z') },
  'application/vnd.ms-cab-compressed': { extensions: ['cab'], unpack: listed('Cab') },
  'application/x-iso9660-image': { extensions: ['iso'], unpack: listed('Iso') },
};

/** The volume descriptor of a CD or DVD. It is not at the start, so it is no usual signature. */
const isoMark = { at: 0x8001, text: 'CD001' };

function isIso({ head }: Sample): boolean {
  return head.toString('latin1', isoMark.at, isoMark.at + isoMark.text.length) === isoMark.text;
}

export const archive: Format = {
  title: 'Archive',
  types: Object.fromEntries(
    Object.entries(archives).map(([type, { extensions }]) => [type, extensions]),
  ),
  accepts: (sample) => {
    const { signature } = sample;
    if (signature !== undefined) return Object.hasOwn(archives, signature) ? signature : undefined;
    if (isTar(sample.head)) return 'application/x-tar';
    return isIso(sample) ? 'application/x-iso9660-image' : undefined;
  },
  async *unpack(input) {
    const found = archives[input.mediaType];
    if (!found) throw new Error(`${input.mediaType} is not an archive`);
    const { missingVolume: missing } = input;
    // The other formats have their list of entries at the end.
    if (missing === undefined || input.mediaType === rar) yield* found.unpack(input);
    if (missing !== undefined)
      throw new PermanentError('INVALID_FILE', `${missing} is missing. ${together}`);
  },
};
