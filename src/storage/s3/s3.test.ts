import { buffer } from 'node:stream/consumers';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { storageContract } from '../../../test/contract/storage.ts';
import type { Fault } from '../../../test/kit/s3-server/faults.ts';
import { type S3Server, s3SettingsOf, startS3Server } from '../../../test/kit/s3-server.ts';
import { BusyError, SetupError } from '../../errors.ts';
import { isDiskFull } from '../../lib/disk-full.ts';
import { SECOND } from '../../lib/time.ts';
import type { Storage } from '../storage.ts';
import { connect, type S3Settings } from './client.ts';
import { openS3 } from './index.ts';

function contract(
  name: string,
  start: () => Promise<{ settings: S3Settings; stop?: () => Promise<void> }>,
): void {
  storageContract(name, async () => {
    const { settings, stop } = await start();
    const client = connect(settings);
    const leftovers = async () => {
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: settings.bucket }),
      );
      return Uploads.length;
    };
    const storage = await openS3(settings);
    const close = async () => {
      client.destroy();
      await storage.close();
      await stop?.();
    };
    return { storage, leftovers, stop: close };
  });
}

for (const checksums of ['WHEN_REQUIRED', 'WHEN_SUPPORTED'] as const) {
  contract(`s3, checksums ${checksums}`, async () => {
    const { stop, ...server } = await startS3Server();
    return { settings: { ...s3SettingsOf(server), checksums, prefix: 'some/where/' }, stop };
  });
}

const {
  MILLRACE_TEST_S3_ENDPOINT: endpoint,
  MILLRACE_TEST_S3_BUCKET: bucket = 'millrace-test',
  MILLRACE_TEST_S3_ACCESS_KEY: accessKeyId = '',
  MILLRACE_TEST_S3_SECRET_KEY: secretAccessKey = '',
} = process.env;
if (endpoint) {
  const settings = s3SettingsOf({
    endpoint,
    bucket,
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey,
  });
  contract(`s3 at ${endpoint}`, async () => ({ settings }));
  describe(`s3 at ${endpoint}`, () => suite(async () => settings));
}

describe('s3', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.stop());
  suite(async () => s3SettingsOf(server));

  describe('when the server fails', () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await openS3({ ...s3SettingsOf(server), timeoutMs: 400, stallMs: 100 });
    });
    afterAll(() => storage.close());
    const plan = (fault: Fault, method: string, query = '') =>
      server.faults.plan(
        fault,
        (request) => request.method === method && (request.url ?? '').includes(query),
      );
    const large = Buffer.alloc(9 * 1024 * 1024, 'large');

    it.each(['slow-down', 'reset', 'silent'] as const)('repeats a put after %s', async (fault) => {
      plan(fault, 'PUT');
      expect(await storage.put(`put/${fault}`, Buffer.from('x'))).toBe('stored');
      plan(fault, 'PUT', 'partNumber=2');
      expect(await storage.put(`parts/${fault}`, large)).toBe('stored');
      expect(server.store.objects.get(`parts/${fault}`)?.bytes.equals(large)).toBe(true);
    });

    it('repeats a conditional put that met another', async () => {
      plan('conflict', 'PUT');
      expect(await storage.put('conflict/put', Buffer.from('x'), { ifAbsent: true })).toBe(
        'stored',
      );
      plan('conflict', 'POST', 'uploadId=');
      expect(await storage.put('conflict/parts', large, { ifAbsent: true })).toBe('stored');
    });

    it.each(['lost-answer', 'silent'] as const)('knows its own object after %s', async (fault) => {
      plan(fault, 'PUT');
      expect(await storage.put(`own/${fault}`, Buffer.from('x'), { ifAbsent: true })).toBe(
        'stored',
      );
      expect(await storage.put(`own/${fault}`, Buffer.from('x'), { ifAbsent: true })).toBe(
        'exists',
      );
    });

    it.each([true, false])(
      'knows its own parts after the last answer was lost (ifAbsent %s)',
      async (ifAbsent) => {
        plan('lost-answer', 'POST', 'uploadId=');
        expect(await storage.put(`own/parts/${ifAbsent}`, large, { ifAbsent })).toBe('stored');
      },
    );

    it('is busy when the server keeps asking to slow down', async () => {
      for (let i = 0; i < 4; i++) plan('slow-down', 'PUT');
      await expect(storage.put('busy', Buffer.from('x'))).rejects.toThrow(BusyError);
    });

    it('is full from a put that found no room until one that did, and asks only then', async () => {
      plan('full', 'PUT');
      await storage.writable();
      await expect(storage.put('full', Buffer.from('x'))).rejects.toSatisfy(isDiskFull);
      plan('full', 'PUT');
      await expect(storage.writable()).rejects.toSatisfy(isDiskFull);
      await vi.waitFor(() => storage.writable(), { timeout: 20 * SECOND, interval: 100 });
      plan('full', 'PUT');
      await storage.writable();
      await expect(storage.put('full', Buffer.from('x'))).rejects.toSatisfy(isDiskFull);
      expect(await storage.put('full', Buffer.from('x'))).toBe('stored');
    });

    it('never takes half a body for the whole', async () => {
      await storage.put('half', large);
      plan('truncate', 'GET');
      await expect(storage.get('half').then(buffer)).rejects.toThrow(/aborted|reset/i);
    });

    it('gives up a download that stalls, and frees its connection', async () => {
      await storage.put('stalled', Buffer.from('some bytes'));
      plan('stall', 'GET');
      const stream = await storage.get('stalled');
      await expect(buffer(stream)).rejects.toThrow('storage sent too little data for 0.1 s');
      expect(stream.destroyed).toBe(true);
    });
  });

  it.each([
    [{ bucket: 'elsewhere' }, 'The bucket elsewhere does not exist', /Create the bucket/],
    [
      { credentials: { accessKeyId: 'X', secretAccessKey: 'Y' } },
      /rejected the access key/,
      /AWS_ACCESS_KEY_ID/,
    ],
    [{ region: 'eu-west-1' }, 'The bucket documents is not in the region eu-west-1', /AWS_REGION/],
    [
      { endpoint: 'http://127.0.0.1:9' },
      'Storage does not answer at http://127.0.0.1:9',
      /S3_ENDPOINT/,
    ],
  ])('explains %j', async (wrong, sentence, hint) => {
    const storage = await openS3({ ...s3SettingsOf(server), ...wrong });
    const problem = await storage.check().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(SetupError);
    expect(problem).toMatchObject({
      message: expect.stringMatching(sentence),
      hint: expect.stringMatching(hint),
    });
  });

  it('does not take a missing bucket for a missing object', async () => {
    const storage = await openS3({ ...s3SettingsOf(server), bucket: 'elsewhere' });
    await expect(storage.get('some/object')).rejects.toThrow('The specified bucket does not exist');
  });
});

/** What a bucket guarantees beyond the contract of all storage. */
function suite(settings: () => Promise<S3Settings>): void {
  it.each([
    ['plain.pdf', 'filename="plain.pdf"', 'plain.pdf'],
    [
      'Rechnung "März" 5 €.pdf',
      'filename="Rechnung _Marz_ 5 _.pdf"',
      'Rechnung%20%22M%C3%A4rz%22%205%20%E2%82%AC.pdf',
    ],
    ["l'été (1).pdf", 'filename="l\'ete (1).pdf"', 'l%27%C3%A9t%C3%A9%20%281%29.pdf'],
    ['請求書.pdf', 'filename="___.pdf"', '%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf'],
    ['a/b\\c\r\nX: y\u202Efdp.exe', 'filename="a_b_cX: yfdp.exe"', 'a_b_cX%3A%20yfdp.exe'],
  ])('links to a download named %j', async (fileName, plain, encoded) => {
    const storage = await openS3(await settings());
    await storage.put('linked', Buffer.from('the bytes'));
    const link = await storage.link('linked', fileName, 60);
    const response = await fetch(link ?? '');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('the bytes');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; ${plain}; filename*=UTF-8''${encoded}`,
    );
    await storage.remove('linked');
    await storage.close();
  });

  it('links to one object only', async () => {
    const storage = await openS3(await settings());
    await storage.put('linked', Buffer.from('mine'));
    await storage.put('secret', Buffer.from('not yours'));
    const link = (await storage.link('linked', 'x', 60)) ?? '';
    expect((await fetch(link.replace('/linked?', '/secret?'))).status).toBe(403);
    expect((await fetch(link.replace('Expires=60', 'Expires=6000'))).status).toBe(403);
    expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
    for (const key of ['linked', 'secret']) await storage.remove(key);
    await storage.close();
  });

  it('refuses wrong credentials', async () => {
    const right = await settings();
    const secretAccessKey = 'wrong';
    const accessKeyId = right.credentials?.accessKeyId ?? '';
    const storage = await openS3({ ...right, credentials: { accessKeyId, secretAccessKey } });
    await expect(storage.put('x', Buffer.from('x'))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    await expect(storage.check()).rejects.toThrow('Storage rejected the access key');
    await storage.close();
  });
}
