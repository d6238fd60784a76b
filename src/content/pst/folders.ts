import type { IPSTFile, PSTFolder } from '@hiraokahypertools/pst-extractor';
import { describeError } from '../../lib/describe-error.ts';

/** A folder with its items, or why something at this place cannot be read. */
export type Section = { path: string } & (
  | { folder: PSTFolder; items: number }
  | { reason: string }
);

/** Lists all folders of a mailbox. One that is damaged does not affect the others. */
export async function listFolders(pst: IPSTFile): Promise<Section[]> {
  const sections: Section[] = [];
  await list((await pst.getRootFolder()) as PSTFolder, '', 0, sections);
  return sections;
}

/** Deeper folders are no work of Outlook. */
const deepest = 100;

async function list(
  folder: PSTFolder,
  path: string,
  depth: number,
  sections: Section[],
): Promise<void> {
  const unreadable = (error: unknown) => ({
    path,
    reason: `The folder cannot be read: ${describeError(error)}`,
  });
  try {
    sections.push({ path, folder, items: await folder.getEmailCount() });
  } catch (error) {
    sections.push(unreadable(error));
  }
  try {
    if (depth >= deepest) throw new Error(`it is nested ${depth} levels deep`);
    for (const child of await folder.getSubFolders())
      await list(child, `${path}${folderName(child)}/`, depth + 1, sections);
  } catch (error) {
    sections.push(unreadable(error));
  }
}

function folderName({ displayName }: PSTFolder): string {
  return displayName?.replaceAll(/[\\/]+/g, '-') || 'unnamed';
}
