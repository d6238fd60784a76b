import { readFile } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { loopback } from './free-port.ts';
import { bootValkey } from './valkey-boot.ts';

/**
 * Entry point of the process that runs Valkey as WebAssembly: `valkey-process <port> <directory>
 * <ACL file>`, with the administrator's password in the environment.
 * Prints "ready" when it accepts commands.
 */
const [port, directory, aclFile] = process.argv.slice(2);
if (!port || !directory || !aclFile)
  throw new Error('usage: valkey-process <port> <directory> <ACL file>');

const saveEveryMs = 2_000;

await bootValkey(Number(port), directory, await readFile(aclFile, 'utf8'));
const password = process.env.MILLRACE_VALKEY_PASSWORD ?? '';
const self = new Redis(Number(port), loopback, { password });
// A full disk is not fatal: the next save may succeed.
const saver = setInterval(() => saveChanges().catch(report), saveEveryMs);
process.once('SIGTERM', stop);
process.stdout.write('ready\n');

/**
 * WebAssembly has no fork, so neither append-only file nor background save: we save often, in the
 * foreground.
 */
async function saveChanges(): Promise<void> {
  const changes = /rdb_changes_since_last_save:(\d+)/.exec(await self.info('persistence'))?.[1];
  if (changes !== '0') await self.save();
}

async function stop(): Promise<void> {
  clearInterval(saver);
  const saved = await saveChanges().then(() => true, report);
  process.exit(saved ? 0 : 1);
}

function report(error: unknown): void {
  process.stderr.write(`valkey: ${error instanceof Error ? error.stack : error}\n`);
}
