import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invoicePdf } from '../../../test/kit/documents.ts';
import { withPdf } from './document.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-'));
});
afterAll(() => rm(folder, { recursive: true }));

const endless = (): number => 1 + endless();

test('a PDF that exhausts the stack is rejected, and the next one is read', async () => {
  const path = await invoicePdf(folder);
  await expect(withPdf({ path }, endless)).rejects.toMatchObject({
    name: 'PermanentError',
    code: 'INVALID_FILE',
    message: 'The PDF is nested too deeply to be read',
  });
  expect(await withPdf({ path }, ({ pages }) => pages)).toBe(1);
});
