import { extname } from 'node:path';
import { z } from 'zod';
import { NotFoundError } from '../errors.ts';
import { openS3 } from '../storage/s3/index.ts';
import type { Storage } from '../storage/storage.ts';
import { defineKind, type Handover, type HandoverAnswer } from './port.ts';

const stored = z.object({ sha256: z.string() });

/**
 * A bucket: the document, and its result as a JSON object next to it. The JSON is written last, so
 * its presence means that the document is complete.
 */
export const s3 = defineKind({
  settings: z.strictObject({
    bucket: z.string().min(3),
    region: z.string().default('us-east-1'),
    endpoint: z.url().optional(),
    prefix: z
      .string()
      .regex(/^([A-Za-z0-9._-]+\/)*$/, 'must be empty or end with /')
      .default(''),
    forcePathStyle: z.boolean().default(true),
  }),
  secret: z.strictObject({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) }),
  open({ endpoint, ...settings }, credentials, { check, connections, trace }) {
    if (endpoint) check(endpoint);
    let opened: Promise<Storage> | undefined;
    const bucket = () => {
      const target = {
        ...settings,
        ...(endpoint && { endpoint }),
        credentials,
        agents: connections(),
        trace,
        checksums: 'WHEN_REQUIRED',
      } as const;
      opened ??= openS3(target);
      return opened;
    };
    return {
      async lookUp({ documentId, sha256 }, signal) {
        return lookUp(await bucket(), documentId, sha256, signal);
      },
      async submit(handover, signal) {
        return submit(await bucket(), handover, signal);
      },
      async query(_, { documentId, sha256 }, signal) {
        return lookUp(await bucket(), documentId, sha256, signal);
      },
      async test() {
        await (await bucket()).check();
        return `The bucket ${settings.bucket} is readable and writable`;
      },
      async close() {
        await (await opened)?.close();
      },
    };
  },
});

async function lookUp(
  bucket: Storage,
  documentId: string,
  sha256: string,
  signal: AbortSignal,
): Promise<HandoverAnswer> {
  try {
    const text = Buffer.concat(
      await (await bucket.get(`${documentId}.json`, signal)).toArray(),
    ).toString();
    const found = stored.safeParse(JSON.parse(text));
    return found.data?.sha256 === sha256
      ? { kind: 'managed', externalId: documentId }
      : { kind: 'not-managed' };
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof SyntaxError)
      return { kind: 'not-managed' };
    throw error;
  }
}

async function submit(
  bucket: Storage,
  handover: Handover,
  signal: AbortSignal,
): Promise<HandoverAnswer> {
  const { documentId, name, mediaType, result } = handover;
  const extension = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(name))?.[0].toLowerCase() ?? '.bin';
  await bucket.put(`${documentId}${extension}`, await handover.open(), { mediaType, signal });
  const json = Buffer.from(JSON.stringify(result));
  await bucket.put(`${documentId}.json`, json, { mediaType: 'application/json', signal });
  return { kind: 'managed', externalId: documentId };
}
