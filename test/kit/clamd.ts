import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openClamd } from '../../src/providers/clamd.ts';
import { freePort } from '../../src/servers/embedded/free-port.ts';
import { isInstalled } from './program.ts';

export const hasClamd = isInstalled('clamd');

/** What the scanners of the kit take for a virus. */
export const virus = 'a file that the tests call infected';
export const streamLimit = 2 ** 20;

export interface TestClamd {
  address: string;
  close(): Promise<void>;
}

/** Speaks the protocol of clamd: VERSION and INSTREAM. */
export async function startClamdSimulator(): Promise<TestClamd> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      const reply = replyTo(received);
      if (reply) socket.end(`${reply}\0`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Undefined until the request is complete. */
function replyTo(received: Buffer): string | undefined {
  const end = received.indexOf(0);
  if (end < 0) return undefined;
  const command = received.subarray(0, end).toString();
  if (command === 'zVERSION') return 'Simulated ClamAV 1.0/1';
  if (command !== 'zINSTREAM') return 'UNKNOWN COMMAND';
  const chunks: Buffer[] = [];
  let total = 0;
  for (let at = end + 1; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return verdict(Buffer.concat(chunks));
    total += length;
    if (total > streamLimit) return 'INSTREAM size limit exceeded. ERROR';
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

function verdict(bytes: Buffer): string {
  return bytes.equals(Buffer.from(virus)) ? 'stream: Test.Virus FOUND' : 'stream: OK';
}

/** The real program, with a signature database of one hash. */
export async function startClamd(): Promise<TestClamd> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-clamd-'));
  const database = join(directory, 'signatures');
  await mkdir(database);
  await chmod(directory, 0o755);
  const md5 = createHash('md5').update(virus).digest('hex');
  await writeFile(join(database, 'test.hdb'), `${md5}:${virus.length}:Test.Virus\n`);
  const port = await freePort();
  const settings = {
    DatabaseDirectory: database,
    TCPAddr: '127.0.0.1',
    TCPSocket: port,
    Foreground: 'yes',
    StreamMaxLength: `${streamLimit / 2 ** 20}M`,
    LogTime: 'no',
  };
  const file = join(directory, 'clamd.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  await writeFile(file, lines.join(''));
  const child = spawn('clamd', ['--config-file', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const address = `127.0.0.1:${port}`;
  const answers = () =>
    openClamd(address)
      .version()
      .catch(() => undefined);
  while (child.exitCode === null && !(await answers())) await sleep(20);
  return {
    address,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}
