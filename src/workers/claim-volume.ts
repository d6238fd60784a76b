import type { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { isContainer } from '../content/index.ts';
import { sniff } from '../content/sniff.ts';
import { documents } from '../db/schema/documents.ts';
import { volumeName } from '../domain/volume.ts';
import { complete, type Outcome, reject, type Save, snooze } from '../engine/pipeline/outcome.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { findVolumes, type VolumeSet, waitForVolumes } from './volumes.ts';

type Found = { outcome: Outcome<'part'> } | { mediaType: string };

/**
 * What a volume of a split archive is claimed as. A later volume ends here: it is a part of its
 * main volume, which is unpacked with all of them. Undefined for files that are judged by their own
 * content, as the main volume usually is.
 */
export async function claimVolume(
  document: StageDocument,
  context: StageContext,
  save: Save,
): Promise<Found | undefined> {
  const set = await findVolumes(document, context);
  if (!set) return undefined;
  const { volume, files } = set;
  const main = files.get(1);
  if (!main) return missingMain(document, context, set);
  if (!(await isArchive(set, context))) return undefined;
  // The main volume of a split zip is its last one, which may begin anywhere.
  if (volume.number === 1) return volume.kind === 'zip' ? { mediaType: zip } : undefined;
  const savePart = async (tx: Parameters<Save>[0]) => {
    await save(tx);
    const metadata = { partOf: main.name };
    await tx.update(documents).set({ metadata }).where(eq(documents.id, document.id));
  };
  return { outcome: complete('part', savePart) };
}

const zip = 'application/zip';

function missingMain(
  { name }: StageDocument,
  context: StageContext,
  set: VolumeSet,
): Found | undefined {
  const { volume } = set;
  if (volume.kind === 'split' && !archiveName.test(volume.set)) return undefined;
  const main = volumeName(name, volume, 1);
  const waitMs = waitForVolumes(set, context, true);
  if (waitMs !== undefined) return { outcome: snooze(waitMs, `${name} waits for ${main}`) };
  const reason = `${name} is one volume of a split archive, and ${main} is missing. Upload all volumes together.`;
  return { outcome: reject('INVALID_FILE', reason) };
}

/** Names of other files may end with a number as well. */
const archiveName = /\.(7z|zip|rar|tar|tgz|gz|bz2|xz|zst|iso|pst)$/;

/** Whether the content of the volume that the archive begins with is that of an archive. */
async function isArchive({ volume, files }: VolumeSet, context: StageContext): Promise<boolean> {
  const first = files.get(volume.kind === 'zip' ? 2 : 1);
  if (!first) return false;
  const source: Readable = await context.storage.get(first.storageKey, context.signal);
  if (volume.kind === 'zip') return (await readStart(source)).startsWith('PK');
  return isContainer(await sniff(source).catch(() => null));
}

async function readStart(source: Readable): Promise<string> {
  for await (const chunk of source) return (chunk as Buffer).toString('latin1', 0, 4);
  return '';
}
