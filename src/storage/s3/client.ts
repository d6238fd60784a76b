import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import type { TraceCall } from '../../observability/tracing/call.ts';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Only for servers other than Amazon S3. */
  endpoint?: string;
  /** Default: the credential chain of the SDK (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  forcePathStyle: boolean;
  /** Many servers refuse the checksums Amazon supports: WHEN_REQUIRED sends plain bodies. */
  checksums: 'WHEN_REQUIRED' | 'WHEN_SUPPORTED';
  /** Prefix of all keys in the bucket, such as `millrace/`. */
  prefix?: string;
  /** Custom agents, for connections with their own restrictions. */
  agents?: { http: HttpAgent; https: HttpsAgent };
  /** Absent: calls are not traced. */
  trace?: TraceCall;
  /** Time limit until the response starts. */
  timeoutMs?: number;
  /** Time limit for a download without progress. */
  stallMs?: number;
}

export function connect(settings: S3Settings): S3Client {
  const {
    endpoint,
    credentials,
    region,
    forcePathStyle,
    checksums,
    agents,
    timeoutMs = 120_000,
  } = settings;
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: Math.min(5_000, timeoutMs),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: agents?.http ?? { maxSockets: 64, keepAlive: true },
      httpsAgent: agents?.https ?? { maxSockets: 64, keepAlive: true },
    },
  });
  retryConflicts(client);
  if (settings.trace) traceCalls(client, settings.trace);
  return client;
}

/**
 * S3 answers 409 to one of two concurrent conditional writes and expects a retry, which the SDK
 * does not do.
 */
function retryConflicts(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ConditionalRequestConflict') throw error;
        throw Object.assign(error, { $retryable: { throttling: false } });
      }
    },
    { step: 'deserialize', name: 'retryConflicts', priority: 'high' },
  );
}

const request = z.object({ method: z.string(), hostname: z.string(), port: z.number().optional() });
const response = z.object({ statusCode: z.number() });

/** Traces each attempt separately: this middleware runs below the retries. */
function traceCalls(client: S3Client, trace: TraceCall): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const { method, hostname, port } = request.parse(args.request);
      const { answer } = await trace(
        { method, host: port ? `${hostname}:${port}` : hostname },
        async () => {
          const answer = await next(args);
          return { answer, status: response.parse(answer.response).statusCode };
        },
      );
      return answer;
    },
    { step: 'deserialize', name: 'traceCalls', priority: 'low' },
  );
}
