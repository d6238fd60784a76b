import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileCount } from './file-count.ts';
import { findFiles } from './files.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace test-'));
  for (const folder of ['in/a', 'in/b', 'in/.git', 'empty'])
    await mkdir(join(root, folder), { recursive: true });
  for (const file of ['in/a/x.pdf', 'in/b/x.pdf', 'in/.DS_Store', 'in/.git/config'])
    await writeFile(join(root, file), 'text');
  await symlink('../a/x.pdf', join(root, 'in/b/link.pdf'));
  await symlink('..', join(root, 'in/b/up'));
  await symlink('nowhere', join(root, 'in/b/zbroken'));
});

afterAll(() => rm(root, { recursive: true }));

async function list(path: string, followLinks = false) {
  const found = await Readable.from(findFiles([path], { followLinks })).toArray();
  return found.map(({ path: _, ...file }) => file);
}

describe('files of a folder', () => {
  test('keep their folders, and what is skipped is reported', async () => {
    expect(await list(join(root, 'in'))).toEqual([
      { name: 'in/.DS_Store', skipped: 'hidden file' },
      { name: 'in/.git', skipped: 'hidden folder' },
      { name: 'in/a/x.pdf' },
      { name: 'in/b/link.pdf', skipped: 'symbolic link' },
      { name: 'in/b/up', skipped: 'symbolic link' },
      { name: 'in/b/x.pdf' },
      { name: 'in/b/zbroken', skipped: 'symbolic link' },
    ]);
  });

  test('include links if asked, but do not go round in circles', async () => {
    expect(await list(join(root, 'in/b'), true)).toEqual([
      { name: 'b/link.pdf' },
      { name: 'b/up/.DS_Store', skipped: 'hidden file' },
      { name: 'b/up/.git', skipped: 'hidden folder' },
      { name: 'b/up/a/x.pdf' },
      { name: 'b/up/b', skipped: 'link to a folder that contains it' },
      { name: 'b/x.pdf' },
      { name: 'b/zbroken', error: 'no such file or directory' },
    ]);
  });

  test('may be one named file, a link too', async () => {
    expect(await list(join(root, 'in/b/link.pdf'))).toEqual([{ name: 'link.pdf' }]);
  });
});

test('names below the current directory stay as typed', async () => {
  expect(await list('src/commands/../commands/files.ts')).toEqual([
    { name: 'src/commands/files.ts' },
  ]);
});

test('an empty folder is a usage error', async () => {
  const files = new FileCount();
  for await (const file of findFiles([join(root, 'empty')])) files.take(file);
  expect(() => files.finish(['empty'])).toThrow('No files found in empty.');
});
