import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transcription } from '../../src/domain/transcription.ts';
import { Semaphore } from '../../src/lib/semaphore.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { openLocalReader } from '../../src/providers/ocr/local/index.ts';
import type { SourceFile } from '../../src/providers/ocr/port.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';

export const limits = {
  maxPages: 2000,
  maxPixels: 100_000_000,
  languages: [],
  pageTimeoutMs: 5 * MINUTE,
};

/** The local reader on all cores, and a directory for degraded copies. */
export interface Desk {
  sandbox: Sandbox;
  scratch: string;
  read(file: SourceFile): Promise<Transcription>;
  inParallel<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]>;
  close(): Promise<void>;
}

export async function openDesk(): Promise<Desk> {
  const processes = availableParallelism();
  const sandbox = openSandbox({ processes, memoryMb: 2048, recycleAfter: 1000 });
  const reader = openLocalReader({ sandbox, ...limits });
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-quality-'));
  const never = new AbortController().signal;
  const places = new Semaphore(processes);
  return {
    sandbox,
    scratch,
    read: (file) => reader.read(file, never),
    inParallel: (items, work) =>
      Promise.all(
        items.map(async (item) => {
          await places.acquire();
          return await work(item).finally(() => places.release());
        }),
      ),
    async close() {
      await sandbox.close();
      await rm(scratch, { recursive: true });
    },
  };
}
