import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../errors.ts';
import type { EmbeddedServer } from './embedded-server.ts';
import { freePort } from './free-port.ts';
import { startGuarded } from './guarded-process.ts';
import { lastLines, rotateLog, saysPortTaken } from './log-file.ts';
import { findNativeRedis } from './native-redis.ts';
import { recordProcess, stopRecordedProcess } from './process-record.ts';
import type { RedisProgram } from './redis-program.ts';
import { ensureRedisUsers, type RedisUsers } from './redis-users.ts';
import { wasmValkey } from './wasm-valkey.ts';

export type RedisEngine = 'auto' | 'native' | 'wasm';

export interface RedisOptions {
  readonly directory: string;
  readonly engine: RedisEngine;
}

const attempts = 5;

/** Starts an embedded Redis: the one installed on this machine, else Valkey as WebAssembly. */
export async function startRedis({ directory, engine }: RedisOptions): Promise<EmbeddedServer> {
  const program = await choose(engine);
  const record = join(directory, 'redis.pid.json');
  await stopRecordedProcess(record, 'SIGTERM');
  const logFile = join(directory, 'redis.log');
  await rotateLog(logFile);
  const home = join(directory, program.folder);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const users = await ensureRedisUsers(directory, home);
  const { server, port } = await launch(program, { home, logFile, record, users });
  return {
    url: users.url(port),
    adminUrl: users.adminUrl(port),
    kind: program.kind,
    ended: server.ended,
    stop: server.stop,
  };
}

async function choose(engine: RedisEngine): Promise<RedisProgram> {
  if (engine === 'wasm') return wasmValkey;
  const native = await findNativeRedis();
  if (native) return native;
  if (engine === 'auto') return wasmValkey;
  const hint =
    'Install Redis 6.2 or newer (or Valkey), set REDIS_URL, or use MILLRACE_REDIS_ENGINE=wasm.';
  throw new SetupError(
    'No redis-server or valkey-server (6.2 or newer) was found on the PATH.',
    hint,
  );
}

interface Launch {
  readonly home: string;
  readonly logFile: string;
  readonly record: string;
  readonly users: RedisUsers;
}

async function launch(program: RedisProgram, { home, logFile, record, users }: Launch) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = await startGuarded({
      ...program.start(port, home, users),
      stopSignal: 'TERM',
      logFile,
    });
    await recordProcess(record, server.pid);
    if (await program.ready(server, port, users)) return { server, port };
    await server.stop();
    if (attempt < attempts && (await saysPortTaken(logFile))) continue;
    const output = await lastLines(logFile);
    throw new SetupError(
      `The embedded ${program.kind} did not start:\n${output}`,
      `See ${logFile}, or set REDIS_URL to your own server.`,
    );
  }
}
