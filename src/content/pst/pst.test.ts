import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { corpora } from '../../../test/kit/corpora.ts';
import { mutant } from '../../../test/kit/mutant.ts';
import { installed } from '../../../test/kit/programs.ts';
import { unpack } from '../../../test/kit/unpack.ts';
import { requireCapability } from '../index.ts';
import { sniff } from '../sniff.ts';
import { listFolders } from './folders.ts';
import { addressLine, encodeWord } from './mime.ts';
import { forgetItems, openMailbox } from './open.ts';

const type = 'application/vnd.ms-outlook-pst';
const open = async (file: string, skip = 0) => {
  const path = join(corpora ?? '', file);
  expect(await sniff(createReadStream(path))).toBe(type);
  return (await unpack(type, readFileSync(path), { entries: 1000 }, { skip })).entries;
};
const attachmentsIn = async (paths: string[]) => {
  const sizes: number[] = [];
  for (const path of paths) {
    const { entries } = await unpack('message/rfc822', readFileSync(path));
    for (const entry of entries) if ('path' in entry) sizes.push(readFileSync(entry.path).length);
  }
  return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};
const textOf = async (path: string) => {
  const input = { path, mediaType: 'message/rfc822', first: 1, last: 1, maxText: 1_000_000 };
  return (await requireCapability('message/rfc822', 'text')(input)).pages[0]?.text ?? '';
};
const pathsOf = (entries: Awaited<ReturnType<typeof open>>) =>
  entries.flatMap((entry) => ('path' in entry ? entry.path : []));

describe.skipIf(!corpora)('Outlook mailboxes', { timeout: 60_000 }, () => {
  test('items and attachments are those that readpst counts', async () => {
    const paths = pathsOf(await open('formats/go-pst/support.pst'));
    expect(paths).toHaveLength(17);
    expect(await attachmentsIn(paths)).toEqual({ count: 2, bytes: 3476 });
  });

  test('each item is a message with its folder, its text and its sender', async () => {
    const entries = await open('formats/go-pst/support.pst');
    expect(entries[0]?.name).toBe('Top of Personal Folders/Drafts/item-1.eml');
    for (const path of pathsOf(entries)) {
      expect(await sniff(createReadStream(path))).toBe('message/rfc822');
      const text = await textOf(path);
      expect(text).toMatch(/^From: /);
      expect(text.split('\n\n').slice(1).join('').trim()).not.toBe('');
    }
  });

  test('files of old versions open as well', async () => {
    expect(await open('formats/go-pst/32-bit.pst')).toHaveLength(1);
  });

  test('contacts have their fields; a password of the mailbox does not protect them', async () => {
    const entries = await open('mail/java-libpst/passworded.pst');
    expect(entries).toHaveLength(3);
    expect(await textOf(pathsOf(entries)[0] ?? '')).toMatch(/Name: \S+/);
  });

  test('the same bytes give the same files, from any position', async () => {
    const all = await open('formats/go-pst/support.pst');
    const rest = await open('formats/go-pst/support.pst', 15);
    const told = (entries: typeof all) =>
      entries.map(({ position, name, ...entry }) => [
        position,
        name,
        'path' in entry ? readFileSync(entry.path, 'utf8') : entry.reason,
      ]);
    expect(told(rest)).toEqual(told(all).slice(15));
  });

  test('items are not kept once they were read', async () => {
    const pst = await openMailbox(join(corpora ?? '', 'formats/go-pst/support.pst'));
    const sections = await listFolders(pst);
    const folder = sections.flatMap((each) =>
      'items' in each && each.items > 0 ? each.folder : [],
    )[0];
    const first = await folder?.getEmail(0);
    expect(await folder?.getEmail(0)).toBe(first);
    if (folder) forgetItems(folder);
    expect(await folder?.getEmail(0)).not.toBe(first);
    await pst.close();
  });

  const damaged = () =>
    mutant(readFileSync(join(corpora ?? '', 'formats/go-pst/support.pst')), 6, 256);

  test.skipIf(!installed.readpst)('with a damaged index is unpacked by readpst', async () => {
    const engines: string[] = [];
    const onSecondEngine = (engine: string) => engines.push(engine);
    const { entries, files } = await unpack(type, damaged(), {}, { onSecondEngine });
    expect(engines).toEqual(['readpst']);
    expect(entries).toHaveLength(17);
    expect(entries[0]).toMatchObject({ name: 'Drafts/1.eml', position: 0 });
    // What it made is removed.
    expect(files).toHaveLength(17 + 1);
  });

  test.skipIf(!installed.readpst)('after several failures readpst is asked at once', async () => {
    const bytes = readFileSync(join(corpora ?? '', 'formats/go-pst/support.pst'));
    const { entries } = await unpack(type, bytes, {}, { preferSecond: true, skip: 15 });
    expect(entries.map(({ position }) => position)).toEqual([15, 16]);
  });

  test('without readpst a damaged index is named, with what to do', async () => {
    vi.stubEnv('PATH', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(unpack(type, damaged())).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringMatching(/^The index of the mailbox is damaged: .*scanpst/),
    });
  });
});

test.each([
  ['Order', 'Order'],
  ['Größe', '=?utf-8?B?R3LDtsOfZQ==?='],
  ['a\r\nBcc: x', 'a Bcc: x'],
])('the header value of %j is %j', (text, expected) => {
  expect(encodeWord(text)).toBe(expected);
});

test('addresses have their names, quoted', () => {
  const mailboxes = [
    { name: 'Ann "A", Miller', address: 'a@example.com' },
    { name: 'b@example.com', address: 'b@example.com' },
    { name: 'Only a name', address: '' },
  ];
  expect(addressLine(mailboxes)).toBe(
    '"Ann A, Miller" <a@example.com>, b@example.com, "Only a name"',
  );
});
