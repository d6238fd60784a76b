import { z } from 'zod';
import { flag, number, secret } from '../types.ts';

/** Where rows, hints and bytes are kept. */
export const stores = {
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('Postgres; an embedded one is started when empty')
    .meta(secret),
  DATABASE_POOL: number
    .int()
    .min(2)
    .max(200)
    .default(10)
    .describe(
      'Connections to Postgres per process; leases are renewed on one or two others, and interval jobs hold their locks on others still, up to as many again',
    ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must start with redis:// or rediss://')
    .optional()
    .describe(
      'Redis 6.2 or newer with maxmemory-policy noeviction; an embedded one is started when empty',
    )
    .meta(secret),
  MILLRACE_REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('millrace')
    .describe('Prefix of all keys in Redis'),
  MILLRACE_REDIS_ENGINE: z
    .enum(['auto', 'native', 'wasm'])
    .default('auto')
    .describe(
      'Embedded Redis: redis-server from the PATH (native), Valkey from npm (wasm), or whichever is there',
    ),

  S3_BUCKET: z
    .string()
    .optional()
    .describe('Bucket for documents; a local directory is used when empty'),
  S3_ENDPOINT: z.url().optional().describe('S3-compatible endpoint; AWS when empty'),
  S3_PREFIX: z.string().default('').describe('Key prefix inside the bucket'),
  S3_FORCE_PATH_STYLE: flag.default(true).describe('Bucket in the path instead of the host name'),
  S3_CHECKSUMS: z
    .enum(['WHEN_REQUIRED', 'WHEN_SUPPORTED'])
    .default('WHEN_REQUIRED')
    .describe('When to send checksums; many S3-compatible servers need WHEN_REQUIRED'),
  AWS_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('Access key; the usual AWS chain is used when empty'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('Secret of the access key').meta(secret),
};
