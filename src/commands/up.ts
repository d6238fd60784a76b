import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../app.ts';
import type { Config } from '../config/index.ts';
import { SECOND } from '../lib/time.ts';
import { untilSignal } from '../lib/until-signal.ts';
import type { AdminKey } from '../roles/credentials.ts';
import { configuration } from './configuration.ts';
import { note } from './note.ts';
import { portNumber } from './options.ts';

export function up(program: Command): void {
  program
    .command('up')
    .description(
      'run API, workers and scheduler in one process, with embedded Postgres and Redis if none are configured',
    )
    .option('--port <port>', 'port of the API; 0 = any free port', portNumber)
    .option(
      '--json',
      'print one JSON object { url } when ready, with the key if this start created it',
    )
    .action(async ({ port, json }: { port?: string; json?: boolean }) => {
      await serve(
        configuration({ MILLRACE_ROLES: 'api,worker,scheduler', MILLRACE_PORT: port }),
        json === true,
      );
    });
}

/** Runs a server process until a stop signal arrives or it is to be replaced. */
export async function serve(given: Config, json: boolean): Promise<void> {
  const config = { ...given };
  const stop = untilSignal('SIGINT', 'SIGTERM');
  stopWithParent(() => {
    config.MILLRACE_SHUTDOWN_GRACE = Math.min(config.MILLRACE_SHUTDOWN_GRACE, orphanGraceMs);
  });
  const { createApp } = await import('../app.ts');
  const app = await createApp(config, { onProgress: note });
  try {
    await announce(app, config, json);
    const reason = await Promise.race([stop, app.retired]);
    note(
      `${reason}: stopping. Running tasks have ${config.MILLRACE_SHUTDOWN_GRACE / 1000} s to finish; a second signal stops at once.`,
    );
  } finally {
    await app.close();
  }
}

async function announce({ url, key, embedded }: App, config: Config, json: boolean): Promise<void> {
  if (url && embedded.length > 0)
    await writeFile(join(config.MILLRACE_DATA, 'server.json'), JSON.stringify({ url }));
  if (json) {
    process.stdout.write(`${JSON.stringify({ url, ...(key?.isNew && { key: key.text }) })}\n`);
    return;
  }
  for (const service of embedded) note(`  with ${service}`);
  if (!url) return note(`Millrace is running as ${config.MILLRACE_ROLES.join(', ')}.`);
  note(`Millrace is ready at ${url}`);
  note(`  console  ${url}/  (log in with the key)`);
  note(`  queues   ${url}/admin/queues`);
  note(`  metrics  ${url}/metrics`);
  if (key) note(`  key      ${describeKey(key, config)}`);
  note(
    `  try      curl -H "Authorization: Bearer $KEY" -F file=@samples/invoice.pdf ${url}/v1/documents`,
  );
}

/** Shown when it is created, and never again: terminals and logs are kept and copied. */
function describeKey({ text, isNew }: AdminKey, config: Config): string {
  if (isNew) return `${text}  (shown only this once)`;
  if (config.MILLRACE_API_KEY) return 'the one in MILLRACE_API_KEY';
  const file = join(config.MILLRACE_DATA, 'secrets', 'api-key');
  return `in ${file}; for a new one: millrace key create NAME --role admin`;
}

/** Nobody waits for an orphan, and its parent's successor starts a process of its own. */
const orphanGraceMs = 5 * SECOND;

/**
 * A process that was started with an IPC channel stops when its parent is gone. It hands its tasks
 * back, because a lease that expires would count as a failure of the document.
 */
function stopWithParent(onOrphaned: () => void): void {
  if (!process.channel) return;
  process.channel.unref();
  process.once('disconnect', () => {
    onOrphaned();
    process.kill(process.pid, 'SIGTERM');
  });
}
