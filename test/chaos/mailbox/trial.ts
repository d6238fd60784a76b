import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKeyText } from '../../../src/db/api-keys.ts';
import { openDatabase } from '../../../src/db/index.ts';
import { Closers } from '../../../src/lib/closers.ts';
import { monotonicNow, SECOND } from '../../../src/lib/time.ts';
import { freePort } from '../../../src/servers/embedded/free-port.ts';
import { openDataDirectory, startEmbedded } from '../../../src/servers/embedded/index.ts';
import { commandLine } from '../command-line.ts';
import { startFleet } from '../fleet.ts';
import { countResults, countSteps, type Results } from './count.ts';
import { largestDescendant } from './memory.ts';
import { attachmentsIn, writeMailbox } from './write-mailbox.ts';

export interface MailboxOptions {
  messages: number;
  /** How often a worker is killed, evenly over unpacking and reading. */
  kills: number;
  onProgress(line: string): void;
}

export interface MailboxResult extends Results {
  killed: number;
  seconds: number;
  /** Of the largest process at any time, and what it was. */
  largestMb: number;
  largest: string;
  /** What `millrace check` printed, and its exit code. */
  check: string;
  checkCode: number | null;
}

/** Sends one mailbox through real processes while their workers are killed. */
export async function runMailbox(options: MailboxOptions): Promise<MailboxResult> {
  const closers = new Closers();
  try {
    return await tryMailbox(options, closers);
  } finally {
    await closers.close();
  }
}

async function tryMailbox(options: MailboxOptions, closers: Closers): Promise<MailboxResult> {
  const { messages } = options;
  const home = await mkdtemp(join(tmpdir(), 'millrace-mailbox-'));
  closers.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const mailbox = join(home, 'mailbox.mbox');
  await writeMailbox(mailbox, messages);
  const { env, millrace, fleet, database } = await startServers(home, closers);
  const id = (await millrace('batch', 'create', 'Mailbox', '--type', 'FILES')).stdout.trim();
  await millrace('batch', 'add', id, mailbox);
  await millrace('batch', 'start', id);
  await millrace('batch', 'finish', id, '--items', '1');
  const begun = monotonicNow();
  const watched = await watch(fleet, database, options);
  const seconds = Math.round((monotonicNow() - begun) / SECOND);
  await millrace('batch', 'watch', id);
  const { stdout: check, code: checkCode } = await commandLine(env)('check');
  return { ...(await countResults(database.pool)), ...watched, seconds, check, checkCode };
}

async function startServers(home: string, closers: Closers) {
  const directory = await openDataDirectory(join(home, 'data'));
  closers.add(() => directory.close());
  const services = { postgres: true, redis: true };
  const {
    databaseUrl = '',
    redisUrl = '',
    stop,
  } = await startEmbedded({
    directory,
    services,
    durable: true,
  });
  closers.add(stop);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    MILLRACE_DATA: join(home, 'server'),
    MILLRACE_API_KEY: newKeyText(),
    MILLRACE_PORT: String(port),
    MILLRACE_URL: url,
    MILLRACE_LEASE: '5s',
    LOG_LEVEL: 'error',
  };
  const fleet = startFleet(env);
  closers.add(() => fleet.stop());
  fleet.start(['api']);
  while (!(await isReady(url))) await sleep(pollMs);
  for (const role of ['scheduler', 'worker']) fleet.start([role]);
  const database = openDatabase({ url: databaseUrl, connections: 2, onError: () => undefined });
  closers.add(() => database.close());
  return { env, millrace: commandLine(env), fleet, database };
}

const pollMs = 200;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Kills workers at evenly spaced points until every document has ended. */
async function watch(
  fleet: ReturnType<typeof startFleet>,
  { pool }: ReturnType<typeof openDatabase>,
  { messages, kills, onProgress }: MailboxOptions,
): Promise<Pick<MailboxResult, 'killed' | 'largestMb' | 'largest'>> {
  // Each document is admitted, then ended.
  const steps = 2 * (messages + attachmentsIn(messages));
  let [killed, largestMb, largest] = [0, 0, ''];
  for (; ; await sleep(pollMs)) {
    const { done, open } = await countSteps(pool);
    const biggest = await largestDescendant(process.pid);
    if (biggest && biggest.rssMb > largestMb)
      [largestMb, largest] = [Math.round(biggest.rssMb), biggest.command];
    if (killed < kills && done >= (steps * (killed + 1)) / (kills + 1)) {
      for (const worker of fleet.all('worker')) worker.kill('SIGKILL');
      killed += 1;
      onProgress(`killed ${killed} times, ${done} of ${steps} steps done`);
    }
    if (done >= steps && open === 0) return { killed, largestMb, largest };
  }
}
