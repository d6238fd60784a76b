import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UnpackInput } from '../content/format.ts';
import { volumeName } from '../domain/volume.ts';
import { type Outcome, snooze } from '../engine/pipeline/outcome.ts';
import type { StageContext } from '../engine/pipeline/stage.ts';
import type { StageDocument } from '../engine/task/task.ts';
import { download } from '../storage/download.ts';
import { tellsMore } from './last-volume.ts';
import { findVolumes, type VolumeSet, waitForVolumes } from './volumes.ts';

type Source = Pick<UnpackInput, 'path' | 'packedBytes' | 'missingVolume'>;

/** Downloads a container, with all its volumes if it is split; or waits for these. */
export async function fetchContainer(
  document: StageDocument,
  context: StageContext,
): Promise<Source | Outcome<never>> {
  const { name, storageKey, sha256 } = document;
  const { storage, signal, workDirectory } = context;
  const wait = (ms: number) => snooze(ms, `${name} waits for further volumes`);
  const volumes = await findVolumes(document, context);
  if (!volumes || volumes.volume.number > 1) {
    const path = join(await workDirectory(), 'container');
    await download(storage, storageKey, path, { signal, sha256 });
    return { path };
  }
  const settleMs = waitForVolumes(volumes, context, false);
  if (settleMs !== undefined) return wait(settleMs);
  const { path, bytes, missing } = await fetchVolumes(document, volumes, context);
  const waitMs = missing === undefined ? undefined : waitForVolumes(volumes, context, true);
  if (waitMs !== undefined) return wait(waitMs);
  return { path, packedBytes: bytes, missingVolume: missing };
}

interface FetchedVolumes {
  /** The file to open: all volumes joined, or the main one with the others beside it. */
  path: string;
  bytes: number;
  /** The name of a volume that is missing. */
  missing: string | undefined;
}

/** Downloads the volumes of a split archive up to the first one that is missing. */
async function fetchVolumes(
  { name }: StageDocument,
  { volume, files }: VolumeSet,
  { storage, signal, workDirectory }: StageContext,
): Promise<FetchedVolumes> {
  const directory = await workDirectory();
  const paths: string[] = [];
  let bytes = 0;
  for (let number = 1; ; number += 1) {
    const file = files.get(number);
    if (!file) break;
    const path = join(directory, `container${file.name.slice(volume.set.length).toLowerCase()}`);
    await download(storage, file.storageKey, path, { signal, sha256: file.sha256 });
    paths.push(path);
    bytes += file.bytes;
  }
  const isMore = Math.max(...files.keys()) > paths.length || (await tellsMore(volume, paths));
  const missing = isMore ? volumeName(name, volume, paths.length + 1) : undefined;
  const [main = ''] = paths;
  return { path: volume.kind === 'split' ? await joinFiles(paths) : main, bytes, missing };
}

/** Appends the other files to the first one. */
async function joinFiles([first = '', ...others]: readonly string[]): Promise<string> {
  for (const path of others) {
    await pipeline(createReadStream(path), createWriteStream(first, { flags: 'a' }));
    await rm(path);
  }
  return first;
}
