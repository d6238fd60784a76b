import type { IncomingMessage } from 'node:http';
import type { Store } from './store.ts';

export interface Call {
  store: Store;
  bucket: string;
  key: string;
  query: URLSearchParams;
  request: IncomingMessage;
  body: Buffer;
}
