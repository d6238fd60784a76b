import { z } from 'zod';
import { apiKeyPattern } from '../../domain/api-key.ts';
import { dollars } from '../../domain/money.ts';
import { shares } from '../../domain/sandbox-share.ts';
import { DAY } from '../../lib/time.ts';
import { duration, flag, list, megabytes, number, port, secret } from '../types.ts';
import { access } from './access.ts';
import { engines } from './engines.ts';
import { limits } from './limits.ts';
import { stores } from './stores.ts';

/**
 * The type, default and description of every environment variable. `.env.example` and the output
 * of `millrace doctor` are generated from it. A secret can also be read from a file: `NAME_FILE`.
 */
export const env = z.object({
  MILLRACE_ROLES: list(z.enum(['api', 'worker', 'scheduler']))
    .default(['api', 'worker', 'scheduler'])
    .describe('Roles of this process'),
  MILLRACE_STAGES: list(z.string())
    .optional()
    .describe(
      'Stages that this worker runs: names of stages, single lanes (transcribe-small, transcribe-large) or quarantine; all if empty',
    ),
  MILLRACE_DATA: z
    .string()
    .default('.millrace')
    .describe('Directory for the embedded services and local files'),
  MILLRACE_HOST: z.string().default('127.0.0.1').describe('Address the API listens on'),
  MILLRACE_PORT: port.default(3000).describe('Port the API listens on; 0 = any free port'),
  MILLRACE_METRICS_PORT: port
    .optional()
    .describe(
      'Port of /metrics, /livez and /readyz in processes of any role; off if empty (the API always serves them)',
    ),
  ...access,
  MILLRACE_BOARD_WRITABLE: flag
    .default(false)
    .describe(
      'Allow administrators to pause queues and change jobs at /admin/queues; Postgres stays the source of truth',
    ),
  MILLRACE_BOARD_KEEP: number
    .int()
    .min(0)
    .default(200)
    .describe(
      'Finished jobs that each queue keeps for the board at /admin/queues, completed and failed ones each; 0 keeps none',
    ),
  MILLRACE_URL: z
    .url()
    .optional()
    .describe(
      'Server that commands such as submit call; the one that uses the data directory if empty',
    ),
  MILLRACE_API_KEY: z
    .string()
    .regex(
      apiKeyPattern,
      'must be mr_, 12 hexadecimal digits, _ and at least 32 letters, digits, - or _',
    )
    .optional()
    .describe(
      'Key of the first administrator, and of commands that call a server: mr_<12 hexadecimal digits>_<at least 32 letters, digits, - or _>; generated and kept in the data directory if empty',
    )
    .meta(secret),

  ...stores,
  ...engines,
  MILLRACE_DAILY_BUDGET: number
    .pipe(dollars)
    .optional()
    .describe(
      'Daily budget (UTC) in US dollars of workspaces that do not set their own; unlimited if empty',
    ),

  MILLRACE_SECRET_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'Key that encrypts secrets of destinations and webhooks and passwords of documents; generated and kept in the data directory if empty',
    )
    .meta(secret),
  MILLRACE_OUTGOING_ALLOW: list(
    z.string().regex(/^[a-z0-9.:/_-]+$/i, 'must be hosts, addresses or networks'),
  )
    .optional()
    .describe('Private hosts, addresses and networks that destinations and webhooks may use'),
  MILLRACE_OUTGOING_INSECURE: flag
    .default(false)
    .describe('Allow calling destinations and webhooks without TLS'),
  MILLRACE_DELIVERY_GIVE_UP: duration
    .prefault('7d')
    .describe('How long a delivery may wait for its document manager'),

  MILLRACE_SCHEMAS: z
    .string()
    .optional()
    .describe(
      'Directory with definitions of document types, such as policy.json; activated at startup',
    ),
  MILLRACE_QUALITY_THRESHOLD: number
    .min(0)
    .max(1)
    .default(0.7)
    .describe('Documents below this quality (0 to 1) are cleaned and read again'),
  MILLRACE_MAX_ATTEMPTS: number
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe(
      'Failed attempts in one stage before a document becomes a dead letter; in stages with lanes, at most two per lane',
    ),
  MILLRACE_GIVE_UP: duration
    .prefault('24h')
    .describe('How long a document may wait for external systems (rate limits, busy providers)'),
  MILLRACE_LEASE: duration
    .prefault('60s')
    .describe('How long a worker owns a task without renewing its lease'),
  MILLRACE_BATCH_GRACE: duration
    .prefault('15m')
    .describe(
      'How long a batch without progress and without documents in progress may block the other batches of its workspace',
    ),
  MILLRACE_BATCH_STUCK: duration
    .prefault('6h')
    .describe(
      'How long a batch whose documents in progress do not end may block the other batches of its workspace',
    ),
  MILLRACE_STORAGE_GRACE: duration
    .prefault('24h')
    .describe(
      'Age at which a stored object without a document is deleted; must be longer than any upload takes',
    ),
  MILLRACE_KEEP_HISTORY: duration
    .refine((ms) => ms >= 2 * DAY, 'must be 2d or more')
    .prefault('90d')
    .describe(
      'How long events, delivered webhook messages, tasks of ended runs and replaced runs are kept',
    ),
  MILLRACE_KEEP_AUDIT: duration
    .refine((ms) => ms >= 1 * DAY, 'must be 1d or more')
    .prefault('730d')
    .describe('How long entries of the audit log are kept'),
  MILLRACE_SHUTDOWN_GRACE: duration
    .prefault('10m')
    .describe('How long running tasks may continue after a stop signal'),
  MILLRACE_LARGE_MB: megabytes
    .default(25)
    .describe('Documents of this size or more start in the large lane, in MB'),
  MILLRACE_LARGE_PAGES: number
    .int()
    .positive()
    .default(100)
    .describe('Documents with this many pages or more are read in the large lane'),
  MILLRACE_LARGE_MEMORY_MB: number
    .int()
    .min(256)
    .default(4096)
    .describe('Memory limit of a child process that works for the large lane, in MB'),
  MILLRACE_SLOTS: number
    .int()
    .positive()
    .optional()
    .describe(
      'Concurrent work in one process, in units: 1 per task, 5 in the large lane; limited only by CONCURRENCY if empty',
    ),
  MILLRACE_WORKER_LIFETIME: number
    .int()
    .min(0)
    .default(600)
    .describe(
      'Work after which a worker process exits to be replaced, in units: 1 per task of a stage with lanes, 5 in the large lane; 0 = never',
    ),
  MILLRACE_WORKER_MEMORY_MB: number
    .int()
    .positive()
    .optional()
    .describe(
      'Resident memory above which a worker process exits to be replaced, in MB; no limit if empty',
    ),
  ...limits,
  MILLRACE_SANDBOX_PROCESSES: number
    .int()
    .min(1)
    .optional()
    .describe(
      'Child processes for parsing and OCR, with one more while both lanes are busy; one per core if empty',
    ),
  MILLRACE_SANDBOX_LIGHT_PROCESSES: number
    .int()
    .min(1)
    .default(2)
    .describe(
      'Child processes in addition, reserved for understanding text, so that it does not wait for OCR',
    ),
  MILLRACE_SANDBOX_SHARE: z
    .enum(shares)
    .default('workspace')
    .describe(
      'Documents that a child process may work on, one after the other: those of one workspace, of all, or none but the first',
    ),
  MILLRACE_SANDBOX_MEMORY_MB: number
    .int()
    .min(256)
    .default(2048)
    .describe('Memory limit of one child process, in MB'),

  MILLRACE_QUARANTINE_PROCESSES: number
    .int()
    .min(1)
    .optional()
    .describe(
      'Processes in which documents whose worker died run alone, of a worker that runs all stages; one per core, at most four, if empty',
    ),

  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'OTLP/HTTP collector that traces are sent to, such as http://collector:4318; off if empty',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, 'must be name=value, separated by commas')
    .optional()
    .describe('Headers for the collector: name=value, comma-separated')
    .meta(secret),
  OTEL_SERVICE_NAME: z.string().default('millrace').describe('Name of this service in traces'),
  OTEL_TRACES_SAMPLER_ARG: number
    .min(0)
    .max(1)
    .default(1)
    .describe('Fraction (0 to 1) of the traces started here that is exported'),

  MILLRACE_DLQ_ALERT: number
    .int()
    .min(0)
    .default(100)
    .describe('An alert is raised above this number of open dead letters'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe level that is logged'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('Log format; auto = pretty in a terminal, JSON elsewhere'),
});

export type Env = z.infer<typeof env>;
export type EnvName = keyof Env;

/** Whether a variable holds a duration, which is stored as milliseconds. */
export function isDuration(name: EnvName): boolean {
  return env.shape[name].safeParse('36500d').data === 36_500 * DAY;
}

export function isSecret(name: EnvName): boolean {
  return env.shape[name].meta()?.secret === true;
}
