import { z } from 'zod';
import { dollars } from '../../domain/money.ts';
import { DAY } from '../../lib/time.ts';
import { duration, flag, list, megabytes, number, port, secret } from '../types.ts';
import { engines } from './engines.ts';
import { stores } from './stores.ts';

/**
 * Every environment variable, once: its type, default and description. `.env.example` and `millrace doctor` are
 * printed from this table. Secrets may also be given as `NAME_FILE`, the path of a file that holds them.
 */
export const env = z.object({
  MILLRACE_ROLES: list(z.enum(['api', 'worker', 'scheduler']))
    .default(['api', 'worker', 'scheduler'])
    .describe('What this process runs'),
  MILLRACE_STAGES: list(z.string())
    .optional()
    .describe(
      'Stages this worker takes, one lane of them (transcribe-small, transcribe-large), or quarantine; all when empty',
    ),
  MILLRACE_DATA: z
    .string()
    .default('.millrace')
    .describe('Directory of the embedded services and local files'),
  MILLRACE_HOST: z.string().default('127.0.0.1').describe('Address the API listens on'),
  MILLRACE_PORT: port.default(3000).describe('Port the API listens on; 0 = any free one'),
  MILLRACE_METRICS_PORT: port
    .optional()
    .describe(
      'Port of /metrics, /livez and /readyz in processes of any role; off when empty (the API has them anyway)',
    ),
  MILLRACE_BOARD_WRITABLE: flag
    .default(false)
    .describe(
      'Lets administrators pause queues and change jobs at /admin/queues; what is true is in Postgres either way',
    ),
  MILLRACE_URL: z
    .url()
    .optional()
    .describe(
      'Server that commands such as submit speak to; the one on the data directory when empty',
    ),
  MILLRACE_API_KEY: z
    .string()
    .min(24)
    .optional()
    .describe('Key of the first administrator; made and kept in the data directory when empty')
    .meta(secret),

  ...stores,
  ...engines,
  MILLRACE_DAILY_BUDGET: number
    .pipe(dollars)
    .optional()
    .describe(
      'US dollars that each workspace without a budget of its own may spend a day (UTC); any amount when empty',
    ),

  MILLRACE_SECRET_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Key that seals the secrets of destinations and webhooks and passwords of documents; made and kept in the data directory when empty',
    )
    .meta(secret),
  MILLRACE_OUTGOING_ALLOW: list(
    z.string().regex(/^[a-z0-9.:/_-]+$/i, 'must be hosts, addresses or networks'),
  )
    .optional()
    .describe(
      'Hosts, addresses and networks that destinations and webhooks may have although they are private',
    ),
  MILLRACE_OUTGOING_INSECURE: flag
    .default(false)
    .describe('Let destinations and webhooks be called without TLS'),
  MILLRACE_DELIVERY_GIVE_UP: duration
    .prefault('7d')
    .describe('Longest wait of a delivery for its document manager'),

  MILLRACE_SCHEMAS: z
    .string()
    .optional()
    .describe(
      'Directory whose files, such as policy.json, define document types; put into force at start',
    ),
  MILLRACE_QUALITY_THRESHOLD: number
    .min(0)
    .max(1)
    .default(0.7)
    .describe('Below this quality a document is cleaned and read again'),
  MILLRACE_MAX_ATTEMPTS: number
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe(
      'Failed attempts in one stage before a document is dead; in stages with lanes at most two count in each',
    ),
  MILLRACE_GIVE_UP: duration
    .prefault('24h')
    .describe('Longest wait of a document for something outside (rate limits, busy providers)'),
  MILLRACE_LEASE: duration
    .prefault('60s')
    .describe('How long a worker owns a task without a sign of life'),
  MILLRACE_BATCH_GRACE: duration
    .prefault('15m')
    .describe('How long a batch in which nothing happens may keep others of its workspace waiting'),
  MILLRACE_STORAGE_GRACE: duration
    .prefault('24h')
    .describe(
      'Age at which an object that belongs to no document is removed; longer than any upload takes',
    ),
  MILLRACE_KEEP_HISTORY: duration
    .refine((ms) => ms >= 2 * DAY, 'must be 2d or more')
    .prefault('90d')
    .describe(
      'How long events (the trail of a document, the log that others read) and delivered webhook messages are kept',
    ),
  MILLRACE_SHUTDOWN_GRACE: duration
    .prefault('10m')
    .describe('How long running work may go on after a stop signal'),
  MILLRACE_LARGE_MB: megabytes
    .default(25)
    .describe('Documents from this size on begin in the large lane, in MB'),
  MILLRACE_LARGE_PAGES: number
    .int()
    .positive()
    .default(100)
    .describe('Documents with this many pages or more are read in the large lane'),
  MILLRACE_LARGE_MEMORY_MB: number
    .int()
    .min(256)
    .default(4096)
    .describe('Memory cap of a child process that works for the large lane, in MB'),
  MILLRACE_SLOTS: number
    .int()
    .positive()
    .optional()
    .describe(
      'Units of work at once in one process: a task takes one, a large one five; as its queues allow when empty',
    ),
  MILLRACE_WORKER_LIFETIME: number
    .int()
    .min(0)
    .default(600)
    .describe(
      'Units of heavy work after which a worker process ends to be replaced (a task of a stage with lanes is one, a large one five); 0 = never',
    ),
  MILLRACE_WORKER_MEMORY_MB: number
    .int()
    .positive()
    .optional()
    .describe(
      'Resident memory from which on a worker process ends to be replaced, in MB; no limit when empty',
    ),
  MILLRACE_MAX_UPLOAD_MB: megabytes.default(5120).describe('Largest document accepted, in MB'),
  MILLRACE_MAX_PAGES: number
    .int()
    .positive()
    .default(2000)
    .describe('Most pages read of one document'),
  MILLRACE_MAX_PIXELS: number
    .int()
    .positive()
    .default(100_000_000)
    .describe('Most pixels of one page image'),
  MILLRACE_SANDBOX_PROCESSES: number
    .int()
    .min(1)
    .optional()
    .describe('Child processes for parsing and OCR; one per core when empty'),
  MILLRACE_SANDBOX_MEMORY_MB: number
    .int()
    .min(256)
    .default(2048)
    .describe('Memory cap of one child process, in MB'),

  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'OTLP/HTTP collector that traces are sent to, such as http://collector:4318; off when empty',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, 'must be name=value, separated by commas')
    .optional()
    .describe('Headers for the collector: name=value, separated by commas')
    .meta(secret),
  OTEL_SERVICE_NAME: z.string().default('millrace').describe('Name of this service in traces'),
  OTEL_TRACES_SAMPLER_ARG: number
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of the traces that begin here which is sent'),

  MILLRACE_DLQ_ALERT: number
    .int()
    .min(0)
    .default(100)
    .describe('More open dead letters than this raise an alert'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe level written'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('auto = pretty in a terminal, JSON elsewhere'),
});

export type Env = z.infer<typeof env>;
export type EnvName = keyof Env;

export function isSecret(name: EnvName): boolean {
  return env.shape[name].meta()?.secret === true;
}
