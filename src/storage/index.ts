import { openFiles } from './files.ts';
import type { S3Settings } from './s3/client.ts';
import { openS3 } from './s3.ts';
import type { Storage } from './storage.ts';

interface SettingsOf {
  files: { directory: string };
  s3: S3Settings;
}
type Kind = keyof SettingsOf;

export type StorageSettings<K extends Kind = Kind> = { [Each in K]: { kind: Each } & SettingsOf[Each] }[K];

const kinds: { [K in Kind]: (settings: StorageSettings<K>) => Promise<Storage> } = {
  files: ({ directory }) => openFiles(directory),
  s3: openS3,
};

export function openStorage<K extends Kind>(settings: StorageSettings<K>): Promise<Storage> {
  return kinds[settings.kind](settings);
}
