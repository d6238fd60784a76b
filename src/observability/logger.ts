import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { scrubber } from './scrub.ts';

export type Log = Logger;

export interface LogSettings {
  level: string;
  format: 'auto' | 'json' | 'pretty';
  /** Values to redact from every line. */
  secrets?: readonly string[];
}

const hidden = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'apiKey',
  'secretAccessKey',
  'connectionString',
];

/** The root logger. Writes to stderr only: stdout is for results. */
export function createLogger(
  { level, format, secrets = [] }: LogSettings,
  write?: (line: string) => void,
): Log {
  const options = {
    level,
    base: null,
    redact: {
      paths: hidden.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]),
      censor: '[redacted]',
    },
    serializers: { err: errorFacts },
  };
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  const destination = isPretty
    ? pretty({
        destination: 2,
        sync: true,
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss.l',
      })
    : pino.destination({ dest: 2, sync: true });
  const scrub = scrubber(secrets);
  const out = write ?? ((line: string) => void destination.write(line));
  return pino(options, { write: (line: string) => out(scrub(line)) });
}

/** Drizzle appends the query parameters to its messages; these can hold document content. */
function withoutValues(message: string): string {
  return message.replace(/\nparams: .*$/s, '');
}

/** Vendor errors carry whole requests and responses, so only the members named here are logged. */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, cause } = error;
  const message = withoutValues(error.message);
  const stack = error.stack?.replace(error.message, () => message);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name,
    message,
    ...(code && { code }),
    stack,
    ...(cause !== undefined && { cause: errorFacts(cause) }),
  };
}
