import { openFiles, translateProblem } from './files/index.ts';
import { guardStorage } from './guard.ts';
import type { S3Settings } from './s3/client.ts';
import { type Breaker, type Storage, unbroken } from './storage.ts';

interface SettingsOf {
  files: { directory: string };
  s3: S3Settings;
}
type Kind = keyof SettingsOf;

export type StorageSettings<K extends Kind = Kind> = {
  [Each in K]: { kind: Each } & SettingsOf[Each];
}[K];

type Open<K extends Kind> = (settings: StorageSettings<K>, breaker: Breaker) => Promise<Storage>;

const kinds: { [K in Kind]: Open<K> } = {
  files: async ({ directory }, breaker) => {
    const translate = (error: unknown) => translateProblem(error, directory);
    return guardStorage(await openFiles(directory), { translate, breaker });
  },
  // Loaded on demand: the SDK takes longer to load than everything else.
  s3: async (settings, breaker) => (await import('./s3/index.ts')).openGuardedS3(settings, breaker),
};

export function openStorage<K extends Kind>(
  settings: StorageSettings<K>,
  breaker: Breaker = unbroken,
): Promise<Storage> {
  return kinds[settings.kind](settings, breaker);
}
