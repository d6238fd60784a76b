import { rm, writeFile } from 'node:fs/promises';
import type { IPSTFile, PSTFolder } from '@hiraokahypertools/pst-extractor';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { answerSecond } from '../second-engine/answer-second.ts';
import { Budget } from '../unpack/budget.ts';
import { makeEntryFile } from '../unpack/entry-file.ts';
import { writeEml } from './eml.ts';
import { listFolders, type Section } from './folders.ts';
import { forgetItems, openMailbox } from './open.ts';
import { rescue, takeRescued } from './readpst.ts';

/**
 * Writes each item of an Outlook mailbox as a message: mail, contacts, appointments, tasks. An item
 * or folder that cannot be read is an exception; the others are not affected. If the index or a
 * folder is damaged, `readpst` unpacks the whole mailbox, provided that it finds more.
 */
export async function* unpackPst(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const opened = await open(input).catch((error: unknown) => ({ failure: damaged(error) }));
  const { failure } = opened;
  try {
    const items = 'sections' in opened ? countItems(opened.sections) : 0;
    const rescued = failure && (await rescue(input));
    if (failure && rescued && rescued.files.length > items) {
      const engines = { readpst: () => takeRescued(rescued, input) };
      yield* answerSecond(input, engines, failure);
      return;
    }
    if (rescued) await rm(rescued.directory, { recursive: true });
    if (!('sections' in opened)) throw failure;
    yield* unpackSections(opened.sections, input);
  } finally {
    if ('pst' in opened) await opened.pst.close();
  }
}

interface Opened {
  pst: IPSTFile;
  sections: Section[];
  failure: PermanentError | undefined;
}

async function open({ path, preferSecond }: UnpackInput): Promise<Opened> {
  if (preferSecond) throw new Error('it could not be read in several attempts');
  const pst = await openMailbox(path);
  try {
    const sections = await listFolders(pst);
    const bad = sections.find((section) => 'reason' in section);
    return { pst, sections, failure: bad && damaged(`${bad.path || '/'}: ${bad.reason}`) };
  } catch (error) {
    await pst.close();
    throw error;
  }
}

function countItems(sections: readonly Section[]): number {
  return sections.reduce((sum, section) => sum + ('items' in section ? section.items : 0), 0);
}

async function* unpackSections(
  sections: readonly Section[],
  { directory, limits, skip }: UnpackInput,
): AsyncGenerator<UnpackedEntry> {
  const budget = new Budget(limits);
  let position = 0;
  for (const section of sections) {
    if ('reason' in section) {
      const place = { position: position++, name: section.path || '/' };
      if (place.position >= skip) yield { ...place, kind: 'exception', reason: section.reason };
      continue;
    }
    const { path, folder, items } = section;
    for (let index = 0; index < items; index += 1) {
      const place = { position: position++, name: `${path}item-${index + 1}.eml` };
      if (place.position >= skip)
        yield await makeEntryFile(place, directory, (file) =>
          writeItem(folder, index, { file, budget }),
        );
    }
  }
}

async function writeItem(
  folder: PSTFolder,
  index: number,
  { file, budget }: { file: string; budget: Budget },
): Promise<void> {
  try {
    const eml = await writeEml(await folder.getEmail(index));
    await writeFile(file, budget.meter(eml), { flag: 'wx' });
  } finally {
    forgetItems(folder);
  }
}

function damaged(error: unknown): PermanentError {
  return new PermanentError(
    'INVALID_FILE',
    `The index of the mailbox is damaged: ${describeError(error)}. Repair it with Outlook's Inbox Repair tool (scanpst), or install readpst on the worker and replay it.`,
    { cause: error },
  );
}
