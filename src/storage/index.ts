import { openFiles } from './files/index.ts';
import type { S3Settings } from './s3/client.ts';
import type { Storage } from './storage.ts';

interface SettingsOf {
  files: { directory: string };
  s3: S3Settings;
}
type Kind = keyof SettingsOf;

export type StorageSettings<K extends Kind = Kind> = {
  [Each in K]: { kind: Each } & SettingsOf[Each];
}[K];

const kinds: { [K in Kind]: (settings: StorageSettings<K>) => Promise<Storage> } = {
  files: ({ directory }) => openFiles(directory),
  // Loaded on demand: the SDK takes longer to load than everything else.
  s3: async (settings) => (await import('./s3/index.ts')).openS3(settings),
};

export function openStorage<K extends Kind>(settings: StorageSettings<K>): Promise<Storage> {
  return kinds[settings.kind](settings);
}
