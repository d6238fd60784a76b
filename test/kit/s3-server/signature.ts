import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { S3Error } from './wire.ts';

interface Account {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  date: string;
  payload: string;
}

const DAY_SECONDS = 86_400;

/** Signature Version 4, in the Authorization header or in the query of a presigned URL. */
export function verify(account: Account, request: IncomingMessage, url: URL): void {
  const claim = url.searchParams.has('X-Amz-Signature') ? fromQuery(url) : fromHeader(request);
  const [accessKeyId, day = '', region, ...service] = claim.credential.split('/');
  if (accessKeyId !== account.accessKeyId)
    throw new S3Error(403, 'InvalidAccessKeyId', 'The key is unknown');
  if (
    region !== account.region ||
    service.join('/') !== 's3/aws4_request' ||
    !claim.date.startsWith(day)
  ) {
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The scope of the signature is wrong');
  }
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', claim.date, scope, sha256(canonical(claim, request, url))].join(
    '\n',
  );
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${account.secretAccessKey}`,
  );
  const expected = hmac(key, text);
  const given = Buffer.from(claim.signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature does not match');
  }
}

function fromHeader({ headers }: IncomingMessage): Claim {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const date = headers['x-amz-date'];
  const payload = headers['x-amz-content-sha256'];
  if (
    !credential ||
    !signedHeaders ||
    !signature ||
    typeof date !== 'string' ||
    typeof payload !== 'string'
  ) {
    throw new S3Error(403, 'AccessDenied', 'The request is not signed');
  }
  return { credential, signedHeaders, signature, date, payload };
}

function fromQuery({ searchParams }: URL): Claim {
  const get = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  const date = get('Date');
  const signed = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  const seconds = Number(get('Expires'));
  if (!(seconds > 0 && seconds <= 7 * DAY_SECONDS) || !(Date.now() < signed + seconds * 1000)) {
    throw new S3Error(403, 'AccessDenied', 'Request has expired');
  }
  return {
    credential: get('Credential'),
    signedHeaders: get('SignedHeaders'),
    signature: get('Signature'),
    date,
    payload: 'UNSIGNED-PAYLOAD',
  };
}

function canonical({ signedHeaders, payload }: Claim, request: IncomingMessage, url: URL): string {
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)));
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const headers = signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  return [
    request.method,
    path.join('/'),
    query.sort().join('&'),
    headers.join(''),
    signedHeaders,
    payload,
  ].join('\n');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
