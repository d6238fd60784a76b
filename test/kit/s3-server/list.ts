import type { Call } from './call.ts';
import { type Answer, element } from './wire.ts';

/** ListObjectsV2: in key order, at most a thousand keys at a time. */
export function list({ store, bucket, query }: Call): Answer {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const limit = Math.min(Number(query.get('max-keys') ?? 1000), 1000);
  const keys = [...store.objects.keys()]
    .filter((key) => key.startsWith(prefix) && key > after)
    .sort();
  const page = keys.slice(0, limit);
  const last = keys.length > limit ? page.at(-1) : undefined;
  const contents = page.map((key) => {
    const { bytes, etag, modified } = store.get(key);
    return {
      Key: key,
      LastModified: modified.toISOString(),
      ETag: etag,
      Size: bytes.length,
      StorageClass: 'STANDARD',
    };
  });
  const body = element('ListBucketResult', {
    Name: bucket,
    Prefix: prefix,
    KeyCount: page.length,
    MaxKeys: limit,
    IsTruncated: String(last !== undefined),
    ...(last && { NextContinuationToken: last }),
    Contents: contents,
  });
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
