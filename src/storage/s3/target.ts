import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './client.ts';

/** Where a put goes. */
export interface Target {
  client: S3Client;
  checksums: S3Settings['checksums'];
  place: { Bucket: string; Key: string };
}
