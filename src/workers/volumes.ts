import { findNeighbours, type Neighbours, type VolumeFile } from '../db/volumes.ts';
import { looksWhole, parseVolume, type Volume } from '../domain/volume.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { SECOND } from '../lib/time.ts';

/** The volumes of a split archive that came together, by number; 1 is the main one. */
export interface VolumeSet extends Pick<Neighbours, 'quietMs' | 'isClosed'> {
  volume: Volume;
  files: ReadonlyMap<number, VolumeFile>;
}

/** The set that a document belongs to by its name; undefined if it is no volume. */
export async function findVolumes(
  document: StageDocument,
  { database }: StageContext,
): Promise<VolumeSet | undefined> {
  const volume = parseVolume(document.name);
  if (!volume) return undefined;
  const { files, ...arrival } = await findNeighbours(database.db, document, `${volume.set}.`);
  const byNumber = new Map<number, VolumeFile>([[volume.number, document]]);
  for (const file of files) {
    const other = parseVolume(file.name);
    const belongs = other?.set === volume.set && other.kind === volume.kind;
    if (belongs && !byNumber.has(other.number)) byNumber.set(other.number, file);
  }
  if (looksWhole(volume) && byNumber.size === 1) return undefined;
  return { volume, files: byNumber, ...arrival };
}

/** Uploads of one call follow each other closely. */
const settlingMs = 2 * SECOND;
const lookEveryMs = 15 * SECOND;

/** How long to wait before looking for further volumes again; undefined if there is no use in it. */
export function waitForVolumes(
  { quietMs, isClosed }: VolumeSet,
  { settings }: StageContext,
  isMissing: boolean,
): number | undefined {
  const { volumeWaitMs } = settings.unpack;
  const left = (isMissing ? volumeWaitMs : Math.min(settlingMs, volumeWaitMs)) - quietMs;
  return isClosed || left <= 0 ? undefined : Math.min(left, lookEveryMs);
}
