import { createServer } from 'node:http';
import type { S3Settings } from '../../src/storage/s3/client.ts';
import { answer } from './s3-server/answer.ts';
import { Faults } from './s3-server/faults.ts';
import { verify } from './s3-server/signature.ts';
import { Store } from './s3-server/store.ts';
import { readBody, S3Error, sendError } from './s3-server/wire.ts';

export interface S3Account {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Server extends S3Account {
  faults: Faults;
  store: Store;
  /** Connections are refused until `start`. The stored objects stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * An in-memory S3 server with the operations the storage adapter uses. It verifies every signature.
 */
export async function startS3Server(): Promise<S3Server> {
  const account = {
    region: 'us-east-1',
    accessKeyId: 'TESTACCESSKEY',
    secretAccessKey: 'test/Secret+Key',
  };
  const bucket = 'documents';
  const store = new Store();
  const faults = new Faults();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    try {
      const body = await readBody(request);
      verify(account, request, url);
      if (faults.strike(request, response)) return;
      const [, named, ...key] = decodeURIComponent(url.pathname).split('/');
      if (named !== bucket)
        throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
      const answered = answer({
        store,
        bucket,
        key: key.join('/'),
        query: url.searchParams,
        request,
        body,
      });
      faults.send(request, response, answered);
    } catch (error) {
      sendError(response, error);
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const start = () => listen(address.port);
  const endpoint = `http://127.0.0.1:${address.port}`;
  return { endpoint, bucket, ...account, faults, store, stop, start };
}

/** The settings with which the storage adapter connects to it. */
export function s3SettingsOf({
  endpoint,
  bucket,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Account) {
  return {
    endpoint,
    bucket,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    checksums: 'WHEN_REQUIRED',
  } satisfies S3Settings;
}

/** The environment of a process that uses it. */
export function s3Environment({
  endpoint,
  bucket,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Account): Record<string, string> {
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_FORCE_PATH_STYLE: 'true',
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}
