import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './client.ts';

/** The destination of a put. */
export interface Target {
  client: S3Client;
  checksums: S3Settings['checksums'];
  place: { Bucket: string; Key: string };
}
