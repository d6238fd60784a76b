import { closeSync, openSync, readSync } from 'node:fs';
import { type IPSTFile, openPst, type PSTFolder } from '@hiraokahypertools/pst-extractor';
import iconv from 'iconv-lite';

const options = {
  convertAnsiStringImmediately: (bytes: Uint8Array) => iconv.decode(Buffer.from(bytes), 'win1252'),
  // Without it an unknown type of property makes the whole item unreadable.
  provideFallbackTypeConverterOf: () => async () => null,
};

/** Opens a mailbox. It reads many small blocks, for which synchronous calls cost least. */
export async function openMailbox(path: string): Promise<IPSTFile> {
  const file = openSync(path, 'r');
  const close = async () => closeSync(file);
  const readFile = async (to: ArrayBuffer, offset: number, length: number, position: number) =>
    readSync(file, new Uint8Array(to), offset, length, position);
  try {
    return await openPst({ readFile, close }, options);
  } catch (error) {
    await close();
    throw error;
  }
}

/** The part of a folder's internals that keeps items. */
interface ItemCache {
  _emailsProvider: { _value?: { _cache: { _map: Map<string, unknown> } } };
}

/** The library keeps every item that was read until its mailbox is closed: gigabytes, in large ones. */
export function forgetItems(folder: PSTFolder): void {
  (folder as unknown as ItemCache)._emailsProvider._value?._cache._map.clear();
}
