import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Handover } from './port.ts';

/** A form with fields and the file. Streamed, so that documents are not held in memory. */
export async function multipart(
  handover: Handover,
  fileField: string,
  fields: Readonly<Record<string, string>>,
) {
  const boundary = `millrace-${randomBytes(12).toString('hex')}`;
  const name = handover.name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const head = Buffer.from(
    Object.entries(fields)
      .map(
        ([field, value]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
      )
      .join('') +
      `--${boundary}\r\ncontent-disposition: form-data; name="${fileField}"; filename="${name}"\r\n` +
      `content-type: ${handover.mediaType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const file = await handover.open();
  async function* parts() {
    yield head;
    yield* file;
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + handover.bytes + tail.length),
    },
    body: Readable.from(parts(), { objectMode: false }),
  };
}
