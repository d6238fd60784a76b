import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { invoicePdf } from '../kit/documents.ts';
import { hostilePdfs } from '../kit/hostile-pdfs.ts';
import { openInstallation, patience } from '../kit/installation.ts';

let installation: Awaited<ReturnType<typeof openInstallation>>;
let folder: string;
beforeAll(async () => {
  installation = await openInstallation();
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
});
afterAll(async () => {
  await installation.close();
  await rm(folder, { recursive: true });
});

const names = ['self reference', 'tiny tiles'] as const;

async function admitHostile(): Promise<string[]> {
  const ids: string[] = [];
  for (const name of Array.from({ length: 5 }, () => names).flat())
    ids.push(await installation.admitNew(hostilePdfs[name](), `${name}.pdf`));
  return ids;
}

describe.skipIf(process.platform !== 'linux')('ten PDFs that cost minutes', () => {
  test('do not keep a small PDF of someone else waiting', { timeout: 400_000 }, async () => {
    const hostile = await admitHostile();
    const invoice = await readFile(await invoicePdf(folder));
    const small = await installation.admitNew(invoice, 'invoice.pdf');
    installation.start(['scheduler']);
    installation.start(['worker'], { MILLRACE_SANDBOX_PROCESSES: '2' });
    await installation.completed(small);
    // They were ahead of it, and all of them have given way.
    for (const id of hostile)
      expect(await installation.taskOf(id)).toMatchObject({
        stage: 'transcribe',
        lane: 'large',
        attempts: 0,
        endedAt: null,
      });
    await vi.waitFor(async () => {
      const [letter] = (await Promise.all(hostile.map(installation.deadLettersOf))).flat();
      expect(letter).toMatchObject({ code: 'TOO_SLOW' });
    }, patience);
  });
});
