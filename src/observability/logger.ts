import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export interface LogSettings {
  level: string;
  format: 'auto' | 'json' | 'pretty';
}

const secrets = ['authorization', 'cookie', 'password', 'secret', 'apiKey', 'secretAccessKey', 'connectionString'];

/** The root logger. Always to stderr: stdout belongs to results. */
export function createLogger({ level, format }: LogSettings): Log {
  const options = {
    level,
    base: null,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]), censor: '[redacted]' },
  };
  const people = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  if (!people) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino(options, pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' }));
}
