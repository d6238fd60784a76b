import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutPdf, emptyPdf, encryptedPdf, hugePng, smallPng } from '../kit/bad-files.ts';
import { runCli } from '../kit/cli.ts';
import { mailOf, mboxOf } from '../kit/mail.ts';
import { zipOf } from '../kit/zip.ts';

const samples = fileURLToPath(new URL('../../samples', import.meta.url));

interface Line {
  path: string;
  status: string;
  needsReview: boolean;
  mediaType: string | null;
  pages: number | null;
  quality: number | null;
  stages: string[];
  problems: { code: string; message: string }[];
  structuredData: Record<string, unknown> | null;
  text?: string;
}

let directory: string;
let env: Record<string, string>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace run '));
  env = { MILLRACE_DATA: join(directory, 'data') };
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await runCli(['run', '--json', ...args], env);
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  return {
    code,
    stderr,
    lines,
    byName: new Map(lines.map((line) => [line.path.split('/').at(-1) ?? '', line])),
  };
}

describe('millrace run', () => {
  test('unpacks archives, waits for what is in them, and says where it was', {
    timeout: 300_000,
  }, async () => {
    const folder = join(directory, 'archives');
    await mkdir(folder);
    const inner = zipOf([
      { name: 'deep/letter.txt', body: 'Dear Sir or Madam, this is a letter.' },
    ]);
    const archive = zipOf([
      { name: 'inner.zip', body: inner },
      { name: '../note.txt', body: 'x' },
      { name: 'note.txt', body: 'A note of some words that can be read.' },
    ]);
    await writeFile(join(folder, 'outer.zip'), archive);
    const { code, lines } = await runJson(folder, '--include', 'text');
    expect(code).toBe(0);
    const told = lines.map(({ path, status, stages, text }) => [
      path.replace(`${folder}/`, ''),
      status,
      stages[1],
      text,
    ]);
    expect(told.toSorted()).toEqual([
      ['outer.zip', 'completed', 'unpack', ''],
      ['outer.zip/inner.zip', 'completed', 'unpack', ''],
      [
        'outer.zip/inner.zip/deep/letter.txt',
        'completed',
        'transcribe',
        expect.stringContaining('Dear Sir'),
      ],
      ['outer.zip/note.txt', 'completed', 'transcribe', expect.stringContaining('A note')],
    ]);
  });

  test('takes mail apart, also what is attached to mail', { timeout: 300_000 }, async () => {
    const folder = join(directory, 'mail');
    await mkdir(folder);
    const text = { type: 'text/plain', body: 'Please order what is in the list.' };
    const forwarded = mailOf([{ type: 'text/html', body: '<p>We <b>have</b> it all.</p>' }]);
    const parts = [text, { type: 'message/rfc822', name: 're.eml', body: forwarded }];
    const packed = {
      type: 'application/zip',
      name: 'list.zip',
      body: zipOf([{ name: 'list.txt', body: 'Paper, ink' }]),
    };
    await writeFile(join(folder, 'box.mbox'), mboxOf([mailOf([...parts, packed]), mailOf([])]));
    const { code, lines } = await runJson(folder, '--include', 'text');
    expect(code).toBe(0);
    expect(
      lines.map(({ path, text: read }) => [path.replace(`${folder}/`, ''), read]).toSorted(),
    ).toEqual([
      ['box.mbox', ''],
      [
        'box.mbox/message-1.eml',
        expect.stringMatching(/^From: Ann .*\n(.*\n)*Subject: Order\n\nPlease order/),
      ],
      ['box.mbox/message-1.eml/list.zip', ''],
      ['box.mbox/message-1.eml/list.zip/list.txt', 'Paper, ink'],
      ['box.mbox/message-1.eml/re.eml', expect.stringContaining('\n\nWe have it all.')],
      ['box.mbox/message-2.eml', expect.stringMatching(/^From: Ann .*\n(.*\n)*Subject: Order\n*$/)],
    ]);
  });

  test('takes the samples through the queues', { timeout: 300_000 }, async () => {
    const { code, byName } = await runJson(samples, '--include', 'text');
    expect(code).toBe(3);
    expect(byName.get('invoice.pdf')).toMatchObject({
      status: 'completed',
      mediaType: 'application/pdf',
      pages: 1,
    });
    expect(byName.get('einvoice.pdf')).toMatchObject({ status: 'completed', needsReview: false });
    expect(byName.get('scan.pdf')?.text).toContain('Facture');
    expect(byName.get('pages.tiff')).toMatchObject({ status: 'completed', pages: 3 });
    expect(byName.get('poor-scan.png')?.stages).toEqual([
      'claim',
      'transcribe',
      'preprocess',
      'transcribe',
      'extract',
      'finalize',
    ]);
    expect(byName.get('broken.pdf')).toMatchObject({
      status: 'failed',
      problems: [{ code: 'INVALID_FILE' }],
    });
    const others = [...byName.values()].filter(({ path }) => !path.endsWith('broken.pdf'));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 'completed'));
  });

  test('gives every bad file a typed problem and a terminal state', {
    timeout: 300_000,
  }, async () => {
    const bad = join(directory, 'bad');
    await mkdir(bad);
    const files: [string, Buffer, string | undefined][] = [
      ['empty.pdf', Buffer.alloc(0), 'EMPTY_FILE'],
      ['no-pages.pdf', await emptyPdf(), 'NO_PAGES'],
      ['cut.pdf', await cutPdf(), 'INVALID_FILE'],
      ['encrypted.pdf', await encryptedPdf(), 'PASSWORD_PROTECTED'],
      ['huge.png', hugePng(17_400, 17_400), 'IMAGE_TOO_LARGE'],
      [
        'noise.bin',
        Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)),
        'UNSUPPORTED_TYPE',
      ],
      ['two\nlines.txt', Buffer.from('Just a note.'), undefined],
    ];
    for (const [name, bytes] of files) await writeFile(join(bad, name), bytes);
    await writeFile(join(bad, 'picture.pdf'), await smallPng());
    const { code, byName, lines } = await runJson(bad, join(directory, 'missing.pdf'));
    expect(code).toBe(3);
    expect(lines).toHaveLength(files.length + 2);
    for (const [name, , problem] of files) {
      const line = byName.get(name);
      expect([name, line?.status, line?.problems[0]?.code]).toEqual([
        name,
        problem ? 'failed' : 'completed',
        problem,
      ]);
    }
    expect(byName.get('picture.pdf')).toMatchObject({
      mediaType: 'image/png',
      status: 'completed',
      problems: [{ code: 'TEXT_UNAVAILABLE' }],
    });
    expect(byName.get('missing.pdf')).toMatchObject({
      status: 'failed',
      problems: [{ message: 'no such file or directory' }],
    });
  });

  test('prints a table for people', { timeout: 300_000 }, async () => {
    const { code, stdout, stderr } = await runCli(['run', join(samples, 'invoice.pdf')], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^document +type +pages +quality +path +supplier +number +date +total +verdict$/m,
    );
    expect(stdout).toContain('claim → transcribe → extract → finalize');
    expect(stderr).toContain('[1/1] invoice.pdf: completed');
  });
});

describe('the command line', () => {
  test.each([
    [['run'], 2, /missing required argument/],
    [['flow'], 2, /unknown command/],
    [['run', '--include', 'everything', 'x'], 2, /there is no "everything"/],
    [['run', '--timeout', 'soon', 'x'], 2, /must be a number above zero/],
  ] as const)('%j is a usage error', async (args, expected, message) => {
    const { code, stderr, stdout } = await runCli([...args], env);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
  });

  test('reports every problem of the configuration at once', async () => {
    const { code, stderr } = await runCli(['doctor'], {
      ...env,
      MILLRACE_PORT: 'x',
      MILLRACE_LEASE: 'y',
      MILLRACE_TYPO: '1',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /3 problems[\s\S]*MILLRACE_PORT[\s\S]*MILLRACE_LEASE[\s\S]*MILLRACE_TYPO: no such variable/,
    );
  });

  test('doctor shows where values come from and hides secrets', { timeout: 300_000 }, async () => {
    const { code, stdout } = await runCli(['doctor'], {
      ...env,
      OPENAI_API_KEY: 'sk-canary',
      MILLRACE_LLM: 'local',
    });
    expect(stdout).toMatch(/OPENAI_API_KEY +\*{8} {2}\(environment\)/);
    expect(stdout).not.toContain('sk-canary');
    expect(stdout).toMatch(/ok +postgres: version/);
    expect(code).toBe(0);
  });
});
