import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { startMillrace, stop } from '../../bench/speed/process.ts';
import { freePort, loopback } from '../../src/servers/embedded/free-port.ts';
import type { NamedFile } from './pathological.ts';

const roles = ['api', 'worker', 'scheduler'] as const;
type Role = (typeof roles)[number];

export interface LagRun {
  /** The longest time, in seconds, that each process did not respond. */
  lag: Record<Role, number>;
  /** The status of each document in the end. */
  statuses: string[];
}

interface Options {
  /** Of all processes: database, Redis, storage. */
  env: Record<string, string>;
  key: string;
  timeoutMs: number;
}

/** Sends files through processes as in production, and reads the lag they report. */
export async function runForLag(
  files: readonly NamedFile[],
  { env, key, timeoutMs }: Options,
): Promise<LagRun> {
  const port = await freePort();
  const url = `http://${loopback}:${port}`;
  const headers = { authorization: `Bearer ${key}` };
  const shared = { ...env, MILLRACE_API_KEY: key, MILLRACE_PORT: String(port) };
  const running: Started[] = [];
  const lag = { api: 0, worker: 0, scheduler: 0 };
  try {
    for (const role of roles) running.push(await startRole(role, shared));
    await Promise.all(running.map(ready));
    // The first scrape ends the time of starting up, which is not measured.
    await Promise.all(running.map(scrape));
    const ids = await Promise.all(files.map((file) => submit(url, headers, file)));
    for (const endsAt = Date.now() + timeoutMs; ; await setTimeout(500)) {
      const statuses = await Promise.all(ids.map((id) => statusOf(url, headers, id)));
      for (const each of running) lag[each.role] = Math.max(lag[each.role], await scrape(each));
      if (statuses.every((status) => status !== 'in-progress')) return { lag, statuses };
      if (Date.now() > endsAt)
        throw new Error(
          `Not finished: ${statuses.map((status, i) => `${files[i]?.name} ${status}`)}`,
        );
    }
  } finally {
    await Promise.all(running.map(({ child }) => stop(child)));
  }
}

interface Started {
  role: Role;
  child: ChildProcess;
  monitor: string;
}

async function startRole(role: Role, env: Record<string, string>): Promise<Started> {
  const port = String(await freePort());
  const child = startMillrace([role], { ...env, MILLRACE_METRICS_PORT: port });
  return { role, child, monitor: `http://${loopback}:${port}` };
}

async function ready({ role, child, monitor }: Started): Promise<void> {
  for (;;) {
    const answer = await fetch(`${monitor}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null) throw new Error(`${role} ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}

/** The longest lag since the last scrape. */
async function scrape({ monitor }: Started): Promise<number> {
  const text = await (await fetch(`${monitor}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (.*)$/m.exec(text)?.[1]);
}

async function submit(
  url: string,
  headers: Record<string, string>,
  { name, text }: NamedFile,
): Promise<string> {
  const answer = await fetch(`${url}/v1/documents?name=${name}`, {
    method: 'POST',
    body: text,
    headers,
  });
  return z.object({ id: z.string() }).parse(await answer.json()).id;
}

async function statusOf(url: string, headers: Record<string, string>, id: string) {
  const answer = await fetch(`${url}/v1/documents/${id}`, { headers });
  return z.object({ status: z.string() }).parse(await answer.json()).status;
}
