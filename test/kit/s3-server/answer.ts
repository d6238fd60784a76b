import type { IncomingMessage } from 'node:http';
import type { Call } from './call.ts';
import { list } from './list.ts';
import type { Stored } from './store.ts';
import { type Answer, checksum, element, S3Error } from './wire.ts';

/**
 * Dispatches a request by its method, its target, and the query parameter that distinguishes
 * related operations.
 */
export function answer(call: Call): Answer {
  const { key, query, request } = call;
  const marker = ['uploads', 'uploadId', 'list-type'].find((name) => query.has(name)) ?? '';
  const operation = operations[`${request.method} ${key ? 'object' : 'bucket'} ${marker}`.trim()];
  if (!operation)
    throw new S3Error(501, 'NotImplemented', `${request.method} ${request.url} is not implemented`);
  return operation(call);
}

const operations: Record<string, (call: Call) => Answer> = {
  'GET bucket list-type': list,
  'GET bucket uploads': ({ store, bucket }) => {
    const uploads = [...store.uploads].map(([UploadId, { key: Key }]) => ({ Key, UploadId }));
    return {
      status: 200,
      body: element('ListMultipartUploadsResult', { Bucket: bucket, Upload: uploads }),
    };
  },
  'GET object': ({ store, key, query }) => {
    const stored = store.get(key);
    const disposition = query.get('response-content-disposition');
    const extra = disposition ? { 'content-disposition': disposition } : {};
    return { status: 200, headers: { ...described(stored), ...extra }, body: stored.bytes };
  },
  'HEAD object': ({ store, key }) => ({ status: 200, headers: described(store.get(key)) }),
  'DELETE object': ({ store, key }) => {
    store.objects.delete(key);
    return { status: 204 };
  },
  'PUT object': ({ store, key, request, body }) => {
    const stored = store.put(key, body, kept(request), request.headers['if-none-match']);
    return { status: 200, headers: { etag: stored.etag } };
  },
  'POST object uploads': ({ store, bucket, key, request }) => ({
    status: 200,
    body: element('InitiateMultipartUploadResult', {
      Bucket: bucket,
      Key: key,
      UploadId: store.begin(key, kept(request)),
    }),
  }),
  'PUT object uploadId': ({ store, query, body }) => {
    const part = store.addPart(query.get('uploadId') ?? '', Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: part.etag, 'x-amz-checksum-crc32': checksum(body) } };
  },
  'POST object uploadId': ({ store, bucket, key, query, request, body }) => {
    const listed = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: (/<ETag>(.+?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
    }));
    const stored = store.complete(
      query.get('uploadId') ?? '',
      listed,
      request.headers['if-none-match'],
    );
    return {
      status: 200,
      body: element('CompleteMultipartUploadResult', {
        Bucket: bucket,
        Key: key,
        ETag: stored.etag,
      }),
    };
  },
  'DELETE object uploadId': ({ store, query }) => {
    store.abort(query.get('uploadId') ?? '');
    return { status: 204 };
  },
};

function kept({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function described({ bytes, headers, etag, modified }: Stored): Record<string, string> {
  return {
    ...headers,
    etag,
    'content-length': String(bytes.length),
    'last-modified': modified.toUTCString(),
  };
}
