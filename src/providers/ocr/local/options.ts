import type { Sandbox } from '../../../sandbox/sandbox.ts';

export interface LocalReaderOptions {
  sandbox: Sandbox;
  maxPages: number;
  /** Of one image or one rendered page. */
  maxPixels: number;
  /** Of the documents, as ISO 639 codes; empty for any that is written in Latin letters. */
  languages: readonly string[];
  pageTimeoutMs: number;
}
