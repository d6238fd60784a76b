import { createHash, randomUUID } from 'node:crypto';
import { S3Error } from './wire.ts';

export interface Stored {
  bytes: Buffer;
  headers: Record<string, string>;
  etag: string;
  modified: Date;
}

interface Upload {
  key: string;
  headers: Record<string, string>;
  parts: Map<number, Stored>;
}

const SMALLEST_PART = 5 * 1024 * 1024;

/** Objects and unfinished uploads. */
export class Store {
  readonly objects = new Map<string, Stored>();
  readonly uploads = new Map<string, Upload>();

  put(
    key: string,
    bytes: Buffer,
    headers: Record<string, string>,
    ifNoneMatch: string | undefined,
  ): Stored {
    if (ifNoneMatch === '*' && this.objects.has(key)) {
      throw new S3Error(
        412,
        'PreconditionFailed',
        'At least one of the preconditions did not hold',
      );
    }
    const stored = { bytes, headers, etag: etagOf(bytes), modified: new Date() };
    this.objects.set(key, stored);
    return stored;
  }

  get(key: string): Stored {
    const found = this.objects.get(key);
    if (!found) throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
    return found;
  }

  begin(key: string, headers: Record<string, string>): string {
    const id = randomUUID();
    this.uploads.set(id, { key, headers, parts: new Map() });
    return id;
  }

  addPart(id: string, number: number, bytes: Buffer): Stored {
    const part = { bytes, headers: {}, etag: etagOf(bytes), modified: new Date() };
    this.upload(id).parts.set(number, part);
    return part;
  }

  complete(
    id: string,
    listed: { number: number; etag: string }[],
    ifNoneMatch: string | undefined,
  ): Stored {
    const { key, headers, parts } = this.upload(id);
    const chosen = listed.map(({ number, etag }, index) => {
      const part = parts.get(number);
      if (part?.etag !== etag)
        throw new S3Error(400, 'InvalidPart', `Part ${number} was not uploaded so`);
      if (index < listed.length - 1 && part.bytes.length < SMALLEST_PART) {
        throw new S3Error(400, 'EntityTooSmall', `Part ${number} is too small`);
      }
      return part.bytes;
    });
    const stored = this.put(key, Buffer.concat(chosen), headers, ifNoneMatch);
    this.uploads.delete(id);
    return stored;
  }

  abort(id: string): void {
    this.upload(id);
    this.uploads.delete(id);
  }

  private upload(id: string): Upload {
    const found = this.uploads.get(id);
    if (!found) throw new S3Error(404, 'NoSuchUpload', 'The specified upload does not exist.');
    return found;
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
