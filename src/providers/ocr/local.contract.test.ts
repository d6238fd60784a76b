import { afterAll } from 'vitest';
import { readerContract } from '../../../test/contract/ocr.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { openLocalReader } from './local/index.ts';

const sandbox = openSandbox({ processes: 1, memoryMb: 1024, recycleAfter: 100 });
afterAll(() => sandbox.close());

readerContract('local', () =>
  openLocalReader({
    sandbox,
    maxPages: 100,
    maxPixels: 50_000_000,
    languages: [],
    pageTimeoutMs: 60_000,
  }),
);
