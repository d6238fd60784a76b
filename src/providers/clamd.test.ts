import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasClamd,
  startClamd,
  startClamdSimulator,
  streamLimit,
  type TestClamd,
  virus,
} from '../../test/kit/clamd.ts';
import { BusyError } from '../errors.ts';
import { openClamd } from './clamd.ts';

describe.each([
  { name: 'a simulated clamd', start: startClamdSimulator, there: true },
  {
    name: 'the real clamd',
    start: startClamd,
    there: hasClamd,
  },
])('$name', ({ start, there }) => {
  let clamd: TestClamd;
  beforeAll(async () => {
    if (there) clamd = await start();
  }, 60_000);
  afterAll(() => clamd?.close());
  const scan = (...chunks: (string | Buffer)[]) =>
    openClamd(clamd.address).scan(Readable.from(chunks.map((each) => Buffer.from(each))));

  test.skipIf(!there)('lets a clean file pass', async () => {
    expect(await scan('clean')).toEqual({ kind: 'clean' });
  });

  test.skipIf(!there)(
    'names the signature of an infected one, also when it comes in pieces',
    async () => {
      const signature = expect.stringContaining('Test.Virus');
      expect(await scan(virus)).toEqual({ kind: 'infected', signature });
      expect(await scan(virus.slice(0, 5), virus.slice(5))).toEqual({
        kind: 'infected',
        signature,
      });
    },
  );

  test.skipIf(!there)('refuses a file above its limit', async () => {
    const mega = Buffer.alloc(2 ** 18, 'x');
    const chunks = Array.from({ length: streamLimit / mega.length + 8 }, () => mega);
    expect(await scan(...chunks)).toEqual({ kind: 'too large' });
  });

  test.skipIf(!there)('reports its version', async () => {
    expect(await openClamd(clamd.address).version()).toContain('ClamAV');
  });

  test.skipIf(!there)('is not blamed for a file that cannot be read', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('the storage is away'));
      },
    });
    await expect(openClamd(clamd.address).scan(broken)).rejects.toThrow('the storage is away');
  });
});

test('a scanner that is away is waited for', async () => {
  const { address, close } = await startClamdSimulator();
  await close();
  const scanning = openClamd(address).scan(Readable.from([Buffer.from('clean')]));
  await expect(scanning).rejects.toThrow(BusyError);
});
