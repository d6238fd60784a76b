import { SetupError, StorageRefusedError } from '../../errors.ts';
import { isVolumeOutage, storageUnavailable } from '../outage.ts';
import { errorCode } from './write.ts';

const reasons: Record<string, [sentence: string, hint: string]> = {
  EACCES: [
    'is not writable by this user',
    'Make the user that runs Millrace its owner, or choose another directory.',
  ],
  EPERM: [
    'is not writable by this user',
    'Make the user that runs Millrace its owner, or choose another directory.',
  ],
  EROFS: ['is on a read-only file system', 'Choose a directory on a writable disk.'],
  ENOSPC: ['is on a full disk', 'Free some space, or choose a directory on another disk.'],
  EDQUOT: ['has used up its quota', 'Raise the quota, or choose a directory on another disk.'],
  ENOTDIR: ['is not a directory', 'Choose a directory, or a path where one can be created.'],
  EEXIST: ['is not a directory', 'Choose a directory, or a path where one can be created.'],
};

/** Turns errors of the file system into a SetupError with a hint. */
export async function explained(directory: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const [sentence, hint] = reasons[errorCode(error)] ?? [];
    if (!sentence || !hint) throw error;
    throw new SetupError(`The storage directory ${directory} ${sentence}`, hint, { cause: error });
  }
}

/** For calls other than `check`: separates outages, which end by themselves, from refusals. */
export function translateProblem(error: unknown, directory: string): unknown {
  if (isVolumeOutage(error)) return storageUnavailable(error);
  const code = errorCode(error);
  const [sentence, hint] = refusals.has(code) ? (reasons[code] ?? []) : [];
  return sentence && hint
    ? new StorageRefusedError(`The storage directory ${directory} ${sentence}`, hint, {
        cause: error,
      })
    : error;
}

const refusals = new Set(['EACCES', 'EPERM']);
