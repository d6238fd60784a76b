import { z } from 'zod';
import { describeError } from '../../lib/describe-error.ts';
import { parseRedisUrl } from '../redis-url.ts';
import { flag, number, secret } from '../types.ts';

/** Postgres, Redis and object storage. */
export const stores = {
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('URL of Postgres; an embedded server is started if empty')
    .meta(secret),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe(
      'URL of Postgres itself, for locks and migrations; needed if DATABASE_URL leads to a transaction pooler such as PgBouncer',
    )
    .meta(secret),
  DATABASE_OWNER_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe(
      'URL of Postgres itself with the user that owns the schema; migrations use it and give the user of DATABASE_URL access to rows only. The user of DATABASE_URL migrates if empty',
    )
    .meta(secret),
  DATABASE_POOL: number
    .int()
    .min(2)
    .max(200)
    .default(10)
    .describe(
      'Connections to Postgres per process; a worker has 2 more to renew leases, an API or scheduler 1 more for locks of interval jobs',
    ),
  REDIS_URL: z
    .string()
    .superRefine((text, context) => {
      try {
        parseRedisUrl(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: describeError(error) });
      }
    })
    .optional()
    .describe(
      'URL of Redis, 6.2 or newer with maxmemory-policy noeviction: redis://HOST, redis://HOST:7000,HOST:7001 for a cluster, redis+sentinel://HOST,HOST/MASTER, rediss for TLS; an embedded server is started if empty',
    )
    .meta(secret),
  REDIS_CA_FILE: z
    .string()
    .optional()
    .describe(
      'PEM file with the certificates of the authorities that signed those of Redis; those of the system if empty',
    ),
  MILLRACE_REDIS_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('millrace')
    .describe('Prefix of all keys in Redis'),
  MILLRACE_REDIS_ENGINE: z
    .enum(['auto', 'native', 'wasm'])
    .default('auto')
    .describe(
      'Embedded Redis; native = redis-server from the PATH, wasm = Valkey from npm, auto = whichever is available',
    ),

  S3_BUCKET: z
    .string()
    .optional()
    .describe('Bucket for documents; a local directory is used if empty'),
  S3_ENDPOINT: z.url().optional().describe('S3-compatible endpoint; AWS if empty'),
  S3_PREFIX: z.string().default('').describe('Key prefix inside the bucket'),
  S3_FORCE_PATH_STYLE: flag
    .default(true)
    .describe('Put the bucket name into the URL path instead of the host name'),
  S3_CHECKSUMS: z
    .enum(['WHEN_REQUIRED', 'WHEN_SUPPORTED'])
    .default('WHEN_REQUIRED')
    .describe('When to send checksums; many S3-compatible servers need WHEN_REQUIRED'),
  AWS_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('Access key id; the default AWS credential chain is used if empty'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('Secret access key').meta(secret),
};
