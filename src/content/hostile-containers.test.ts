import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { largestDescendant } from '../../test/chaos/mailbox/memory.ts';
import { nestedMail } from '../../test/kit/mail.ts';
import { officeOf } from '../../test/kit/office.ts';
import { installed } from '../../test/kit/programs.ts';
import { temporaryDirectory } from '../../test/kit/temporary-directory.ts';
import { unpack, unpackToParent } from '../../test/kit/unpack.ts';
import { openSandbox } from '../sandbox/sandbox.ts';

const zeros = Buffer.alloc(2 ** 26);
const outcomes = ({ entries }: Awaited<ReturnType<typeof unpack>>) =>
  entries.map((entry) => [entry.name, 'path' in entry ? 'file' : entry.kind]);

async function tarOf(entries: [Parameters<ReturnType<typeof pack>['entry']>[0], Buffer?][]) {
  const tar = pack();
  for (const [header, body = Buffer.alloc(0)] of entries) tar.entry(header, body);
  tar.finalize();
  return buffer(tar as AsyncIterable<Buffer>);
}

test('a gzip bomb is stopped at the limit, and leaves nothing', async () => {
  const result = await unpack('application/gzip', gzipSync(zeros), {}, { name: 'zeros.gz' });
  expect(outcomes(result)).toEqual([['zeros', 'exception']]);
  expect(result.files).toEqual(['container']);
});

test('behind a bomb in a compressed tar the other entries are taken', async () => {
  const tar = await tarOf([
    [{ name: 'bomb' }, zeros],
    [{ name: 'good.txt' }, Buffer.from('good')],
  ]);
  expect(outcomes(await unpack('application/gzip', gzipSync(tar)))).toEqual([
    ['bomb', 'exception'],
    ['good.txt', 'file'],
  ]);
});

test('links and names that lead out of a tar lead nowhere', async () => {
  const tar = await tarOf([
    [{ name: 'link', type: 'symlink', linkname: '/etc/passwd' }],
    [{ name: 'hard', type: 'link', linkname: '../../x' }],
    [{ name: '../../escaped' }, Buffer.from('x')],
    [{ name: 'good.txt' }, Buffer.from('good')],
  ]);
  const result = await unpack('application/x-tar', tar);
  expect(outcomes(result)).toEqual([
    ['link', 'skipped'],
    ['hard', 'skipped'],
    ['../../escaped', 'exception'],
    ['good.txt', 'file'],
  ]);
  expect(result.files).toEqual(['container', join('entries', '3')]);
});

test('a message that is nested 200,000 levels deep ends with a reason', async () => {
  await expect(unpackToParent('message/rfc822', nestedMail(200_000))).rejects.toMatchObject({
    name: 'PermanentError',
  });
});

describe.skipIf(!installed.sevenZip)('a 7z archive', { timeout: 60_000 }, () => {
  const sevenZipOf = async (make: (folder: string) => void) => {
    const folder = await temporaryDirectory();
    make(folder);
    const path = join(await temporaryDirectory(), 'a.7z');
    execFileSync(installed.sevenZip ?? '', ['a', '-snl', path, '.'], { cwd: folder });
    return readFileSync(path);
  };

  test('that is a bomb is stopped, and the other entries are taken', async () => {
    const bytes = await sevenZipOf((folder) => {
      writeFileSync(join(folder, 'a-bomb'), zeros);
      writeFileSync(join(folder, 'good.txt'), 'good');
    });
    const found = outcomes(await unpack('application/x-7z-compressed', bytes));
    expect(found).toContainEqual(['a-bomb', 'exception']);
    expect(found).toContainEqual(['good.txt', 'file']);
  });

  test('with a link has no file for it', async () => {
    const bytes = await sevenZipOf((folder) => {
      symlinkSync('/etc/passwd', join(folder, 'link'));
      writeFileSync(join(folder, 'good.txt'), 'good');
    });
    const found = outcomes(await unpack('application/x-7z-compressed', bytes));
    expect(found).toContainEqual(['link', 'skipped']);
    expect(found).toContainEqual(['good.txt', 'file']);
  });
});

test.skipIf(process.platform !== 'linux')(
  'a text of 400 MB in a small document ends with a reason, in less than 1 GB',
  { timeout: 120_000 },
  async () => {
    const path = join(await temporaryDirectory(), 'large.docx');
    const body = Buffer.alloc(400_000_000, 'word ');
    body.write('<w:document><w:body><w:p><w:r><w:t>');
    writeFileSync(path, officeOf('word', [{ name: 'word/document.xml', body }]));
    const mediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const sandbox = openSandbox({ processes: 1, memoryMb: 2048, recycleAfter: 100 });
    let largest = 0;
    const watch = setInterval(async () => {
      largest = Math.max(largest, (await largestDescendant(process.pid))?.rssMb ?? 0);
    }, 100);
    try {
      const input = { path, mediaType, first: 1, last: 1, maxText: 10_000_000 };
      await expect(
        sandbox.run('content.text', input, { timeoutMs: 100_000 }),
      ).rejects.toMatchObject({ code: 'INVALID_FILE' });
    } finally {
      clearInterval(watch);
      await sandbox.close();
    }
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(1024);
  },
);
