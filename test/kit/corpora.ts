import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const candidates = ['../../../shared/corpora', '../../../../shared/corpora'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Folder of real files to test on, where there is one. */
export const corpora: string | undefined = [process.env.MILLRACE_CORPORA, ...candidates].find(
  (path) => path !== undefined && existsSync(path),
);
