import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import { DamagedPartError } from './damaged-part.ts';

/** More than any genuine document has. */
const maxParts = 50_000;
/** All parts together, on bytes that really come out. */
const maxInflatedBytes = 2 ** 30;

/** The parts of a document that is a zip archive, by name. Case of names is ignored. */
export class ZipParts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #inflated = 0;

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  names(): string[] {
    return [...this.#entries.values()].map(({ fileName }) => fileName);
  }

  has(name: string): boolean {
    return this.#entries.has(keyOf(name));
  }

  /** Inflates a part. A part that does not exist is empty. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(keyOf(name));
    if (!entry) return;
    if (entry.isEncrypted())
      throw new PermanentError('PASSWORD_PROTECTED', 'The document is an encrypted zip archive');
    let checksum = 0;
    for await (const chunk of this.#inflate(entry)) {
      this.#inflated += chunk.length;
      if (this.#inflated > maxInflatedBytes)
        throw new PermanentError('INVALID_FILE', 'The document expands to an extreme size');
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) throw new DamagedPartError(name, 'CRC-32 mismatch');
  }

  async *#inflate(entry: Entry): AsyncGenerator<Buffer> {
    try {
      yield* await this.#zip.openReadStreamPromise(entry);
    } catch (error) {
      throw new DamagedPartError(entry.fileName, describeError(error), { cause: error });
    }
  }

  /** Throws if a part is damaged, or if all of them expand to too much. */
  async verify(): Promise<void> {
    for (const name of this.#entries.keys()) await this.readAll(name, maxInflatedBytes, false);
  }

  async readAll(name: string, maxBytes: number, keep = true): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.read(name)) {
      if (keep) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) throw new PermanentError('INVALID_FILE', `${name} is too large`);
    }
    return Buffer.concat(chunks);
  }

  close(): void {
    this.#zip.close();
  }
}

/** Opens a document that is a zip archive while `use` runs. */
export async function withZipParts<T>(
  path: string,
  use: (parts: ZipParts) => Promise<T>,
): Promise<T> {
  const parts = await openZipParts(path);
  try {
    return await use(parts);
  } finally {
    parts.close();
  }
}

/** The caller closes it. */
export async function openZipParts(path: string): Promise<ZipParts> {
  const zip = await openZip(path);
  try {
    return new ZipParts(zip, await listEntries(zip));
  } catch (error) {
    zip.close();
    throw error;
  }
}

const options = { autoClose: false, lazyEntries: true } as const;

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await yauzl.openPromise(path, options);
  } catch (error) {
    const trimmed = await withoutTrailingBytes(path);
    if (!trimmed) throwInvalid(error);
    return await yauzl.fromBufferPromise(trimmed, options).catch(throwInvalid);
  }
}

const maxRepairBytes = 2 ** 28;
const endRecordBytes = 22;

/** Some files have bytes after the archive; yauzl refuses these. */
async function withoutTrailingBytes(path: string): Promise<Buffer | undefined> {
  const bytes = await readFile(path);
  if (bytes.length > maxRepairBytes) return undefined;
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + endRecordBytes > bytes.length) return undefined;
  bytes.writeUInt16LE(0, end + endRecordBytes - 2);
  return bytes.subarray(0, end + endRecordBytes);
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxParts)
    throw new PermanentError('INVALID_FILE', `The document has ${zip.entryCount} parts`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const key = keyOf(entry.fileName);
      if (!entries.has(key)) entries.set(key, entry);
    }
  } catch (error) {
    if (entries.size === 0) throwInvalid(error);
  }
  return entries;
}

function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

function throwInvalid(error: unknown): never {
  const reason = describeError(error);
  throw new PermanentError('INVALID_FILE', `The document cannot be opened: ${reason}`, {
    cause: error,
  });
}
