import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Target } from './target.ts';

interface PartedPut extends Target {
  params: CreateMultipartUploadCommandInput & { IfNoneMatch?: string };
  abort: { abortSignal?: AbortSignal };
  parts: Buffer[];
  rest: AsyncIterable<Buffer>;
}

/**
 * Uploads in parts, reading one while the previous one is sent. lib-storage is not used: its
 * requests continue after an abort, and it leaves the parts behind when the last request fails.
 */
export async function uploadParts(put: PartedPut): Promise<void> {
  const { client, checksums, place, params, abort } = put;
  const checksum = checksums === 'WHEN_SUPPORTED' ? { ChecksumAlgorithm: 'CRC32' as const } : {};
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...params, ...checksum }),
    abort,
  );
  const send = async (Body: Buffer, PartNumber: number): Promise<CompletedPart> => {
    const command = new UploadPartCommand({ ...place, ...checksum, UploadId, PartNumber, Body });
    const { ETag, ChecksumCRC32 } = await client.send(command, abort);
    return { PartNumber, ETag, ChecksumCRC32 };
  };
  const sent: Promise<CompletedPart>[] = [];
  try {
    for await (const part of chained(put.parts, put.rest)) {
      await sent.at(-1);
      const sending = send(part, sent.length + 1);
      // A failure is handled one part later; until then it must not count as unhandled.
      sending.catch(() => {});
      sent.push(sending);
    }
    const MultipartUpload = { Parts: await Promise.all(sent) };
    const { IfNoneMatch } = params;
    await client.send(
      new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload, IfNoneMatch }),
      abort,
    );
  } catch (error) {
    await Promise.allSettled(sent);
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => {});
    throw error;
  }
}

async function* chained(parts: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* parts;
  yield* rest;
}
