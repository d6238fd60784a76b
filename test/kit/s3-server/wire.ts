import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Reads the whole body and verifies the hashes sent with it. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const body = await buffer(request);
  const sha256 = request.headers['x-amz-content-sha256'];
  const signed = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  if (signed && createHash('sha256').update(body).digest('hex') !== sha256) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body differs from its SHA-256');
  }
  const crc = request.headers['x-amz-checksum-crc32'];
  if (crc && crc !== checksum(body))
    throw new S3Error(400, 'BadDigest', 'The body differs from its CRC-32');
  return body;
}

export function checksum(body: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
}

export function sendError(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  const { status, code, message } =
    error instanceof S3Error ? error : new S3Error(500, 'InternalError', String(error));
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(element('Error', { Code: code, Message: message }));
}

type Content = string | number | Content[] | { [name: string]: Content };

/** XML for nested objects. An array repeats its element. */
export function element(name: string, content: Content): string {
  if (Array.isArray(content)) return content.map((each) => element(name, each)).join('');
  const inner =
    typeof content === 'object'
      ? Object.entries(content).map(([child, value]) => element(child, value))
      : [String(content).replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`)];
  return `<${name}>${inner.join('')}</${name}>`;
}
