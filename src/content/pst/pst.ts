import { writeFile } from 'node:fs/promises';
import { type IPSTFile, openPstFile, type PSTFolder } from '@hiraokahypertools/pst-extractor';
import iconv from 'iconv-lite';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { writeEml } from './eml.ts';

/**
 * Writes each item of an Outlook mailbox as a message: mail, contacts, appointments, tasks. An item
 * or folder that cannot be read is an exception; the others are not affected.
 */
export async function* unpackPst(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const { path, directory, limits, skip } = input;
  const budget = new Budget(limits);
  const pst = await openPstFile(path, options).catch(throwDamaged);
  let position = 0;
  try {
    for await (const item of itemsOf(pst)) {
      const place = { position: position++, name: item.name };
      if (place.position < skip) continue;
      if ('reason' in item) yield { ...place, kind: 'exception', reason: item.reason };
      else {
        const write = async (file: string) => {
          const eml = await writeEml(await item.folder.getEmail(item.index));
          await writeFile(file, budget.meter(eml), { flag: 'wx' });
        };
        yield await makeEntryFile(place, directory, write);
      }
    }
  } finally {
    await pst.close();
  }
}

const options = {
  convertAnsiStringImmediately: (bytes: Uint8Array) => iconv.decode(Buffer.from(bytes), 'win1252'),
  // Without it an unknown type of property makes the whole item unreadable.
  provideFallbackTypeConverterOf: () => async () => null,
};

type Item = { name: string } & ({ folder: PSTFolder; index: number } | { reason: string });

async function* itemsOf(pst: IPSTFile): AsyncGenerator<Item> {
  const root = (await pst.getRootFolder().catch(throwDamaged)) as PSTFolder;
  yield* itemsIn(root, '');
}

/** Deeper folders are no work of Outlook. */
const deepest = 100;

async function* itemsIn(folder: PSTFolder, path: string, depth = 0): AsyncGenerator<Item> {
  const unreadable = (error: unknown): Item => ({
    name: path || '/',
    reason: `The folder cannot be read: ${describeError(error)}`,
  });
  try {
    const count = await folder.getEmailCount();
    for (let index = 0; index < count; index += 1)
      yield { name: `${path}item-${index + 1}.eml`, folder, index };
  } catch (error) {
    yield unreadable(error);
  }
  try {
    if (depth >= deepest) throw new Error(`it is nested ${depth} levels deep`);
    for (const child of await folder.getSubFolders())
      yield* itemsIn(child, `${path}${folderName(child)}/`, depth + 1);
  } catch (error) {
    yield unreadable(error);
  }
}

function folderName({ displayName }: PSTFolder): string {
  return displayName?.replaceAll(/[\\/]+/g, '-') || 'unnamed';
}

function throwDamaged(error: unknown): never {
  throw new PermanentError(
    'INVALID_FILE',
    `The index of the mailbox is damaged: ${describeError(error)}. Repair it with Outlook's Inbox Repair tool (scanpst), or extract it with readpst and upload the result.`,
    { cause: error },
  );
}
