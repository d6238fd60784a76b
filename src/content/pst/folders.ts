import type { IPSTFile, PSTFolder } from '@hiraokahypertools/pst-extractor';
import { describeError } from '../../lib/describe-error.ts';

/** A folder with its items, or why something at this place cannot be read. */
export type Section = { path: string } & (
  | { folder: PSTFolder; items: number }
  | { reason: string }
);

/** Lists all folders of a mailbox. One that is damaged does not affect the others. */
export async function listFolders(pst: IPSTFile): Promise<Section[]> {
  return listSections((await pst.getRootFolder()) as PSTFolder, '', 0);
}

/** Deeper folders are no work of Outlook. */
const deepest = 100;

async function listSections(folder: PSTFolder, path: string, depth: number): Promise<Section[]> {
  const sections = await orUnreadable(path, () => listItems(folder, path));
  if (depth >= deepest)
    return [...sections, unreadable(path, `its folders are nested ${depth} levels deep`)];
  const count = await orUnreadable(path, async () => await folder.getSubFolderCount());
  if (typeof count !== 'number') return [...sections, ...count];
  for (let index = 0; index < count; index += 1) {
    const found = await orUnreadable(path, async () => {
      const child = (await folder.getSubFolder(index)) as PSTFolder;
      return listSections(child, `${path}${folderName(child)}/`, depth + 1);
    });
    sections.push(...found);
  }
  return sections;
}

async function listItems(folder: PSTFolder, path: string): Promise<Section[]> {
  const items = await folder.getEmailCount();
  const missing = folder.contentCount - items;
  const section = { path, folder, items };
  if (!(missing > 0)) return [section];
  return [section, unreadable(path, `${missing} of its items are not in the index`)];
}

async function orUnreadable<Result>(
  path: string,
  read: () => Promise<Result>,
): Promise<Result | Section[]> {
  try {
    return await read();
  } catch (error) {
    return [unreadable(path, describeError(error))];
  }
}

function unreadable(path: string, reason: string): Section {
  return { path, reason: `The folder cannot be read: ${reason}` };
}

function folderName({ displayName }: PSTFolder): string {
  return displayName?.replaceAll(/[\\/]+/g, '-') || 'unnamed';
}
