import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpora, readJsonLines } from '../../../test/kit/corpora.ts';
import { unpack } from '../../../test/kit/unpack.ts';
import { requireCapability } from '../index.ts';
import { parseMsg } from './msg.ts';
import { ids } from './property-ids.ts';

const msg = 'application/vnd.ms-outlook';
const tnef = 'application/vnd.ms-tnef';
const base = corpora ?? '';

interface Truth {
  file: string;
  contains: string[];
  meta?: { subject?: string };
  attachments?: number;
  attachment_names?: string[];
  recipients?: number;
}

describe.skipIf(!corpora)('real Outlook messages', () => {
  test('have the subject, attachments and recipients that are known of them', async () => {
    const all = (await readJsonLines(join(base, 'truth/msgreader.jsonl'))) as Truth[];
    expect(all).toHaveLength(43);
    for (const truth of all) {
      const path = join(base, 'mail', truth.file);
      const { properties, attachments, recipients } = parseMsg(readFileSync(path));
      const found = { subject: properties.text(ids.subject), attachments: attachments.length };
      // The known subject of this file is garbled: its code page is Japanese.
      const subject = /contactAnsi/.test(truth.file)
        ? 'コム ドット イグザンプル 殿'
        : truth.meta?.subject;
      const expected = { subject, attachments: truth.attachments };
      const stated = Object.entries(expected).filter(([, value]) => value !== undefined);
      expect([truth.file, found]).toEqual([
        truth.file,
        expect.objectContaining(Object.fromEntries(stated)),
      ]);
      if (truth.recipients !== undefined) expect(recipients).toHaveLength(truth.recipients);
      const page = { path, mediaType: msg, first: 1, last: 1, maxText: 1e6 };
      const { pages } = await requireCapability(msg, 'text')(page);
      for (const text of truth.contains) expect(pages[0]?.text).toContain(text);
    }
  });

  test('messages inside messages are messages again', async () => {
    const path = join(base, 'mail/msgreader/test/msgInMsgInMsg.msg');
    const outer = await unpack(msg, readFileSync(path));
    expect(outer.entries.map(({ name }) => name)).toEqual(['I have attachments!.msg', 'blue.png']);
    const [inner] = outer.entries;
    const bytes = readFileSync(inner && 'path' in inner ? inner.path : '');
    expect(parseMsg(bytes).properties.text(ids.subject)).toBe('I have attachments!');
    const { entries } = await unpack(msg, bytes);
    expect(entries.map(({ name }) => name)).toEqual([
      'Microsoft Outlook テスト メッセージ.msg',
      'green.png',
    ]);
  });

  test('attachments in winmail.dat have their long names', async () => {
    const folder = join(base, 'formats/poi/hmef');
    const names = async (file: string) =>
      (await unpack(tnef, readFileSync(join(folder, file)))).entries.map(({ name }) => name);
    expect(await names('quick-winmail.dat')).toEqual([
      'quick.doc',
      'quick.html',
      'quick.pdf',
      'quick.txt',
      'quick.xml',
    ]);
  });
});
