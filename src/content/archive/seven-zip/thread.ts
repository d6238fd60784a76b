import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import * as sevenZip from '7z-wasm';
import { listingParser } from './listing.ts';
import type { Extracted, Listed, SevenZipReply, SevenZipRequest } from './protocol.ts';
import { attachSink } from './sink.ts';
import { waitForRoom } from './waiting.ts';

/**
 * 7-Zip runs synchronously until its command has ended, so it has a thread of its own. The thread
 * sleeps while its files are not taken, which keeps the disk bounded.
 */
const request = workerData as SevenZipRequest;
const send = (reply: SevenZipReply) => parentPort?.postMessage(reply);

const entriesPerMessage = 1000;
const errors: string[] = [];
let listed: Listed[] = [];
const parse = listingParser();
const sendListed = () => {
  if (listed.length > 0) send({ kind: 'listed', entries: listed });
  listed = [];
};
const print = (line: string) => {
  const entry = request.command === 'list' ? parse(line) : undefined;
  if (entry) listed.push(entry);
  if (listed.length >= entriesPerMessage) sendListed();
};

/** Errors come after the file was closed, so the last file waits for the next event. */
let last: Extracted | undefined;
const flush = () => {
  if (!last) return;
  send({ kind: 'extracted', file: last });
  last = undefined;
};
const printErr = (line: string) => {
  const [, error, path] = /^ERROR: (.+) : (.+)$/.exec(line) ?? [];
  if (!error || !path) errors.push(line.trim());
  else if (last?.path === path) last.error = error;
  else send({ kind: 'refused', path, error });
};

// Its types describe a CommonJS module, but it is loaded as an ES module.
const open = sevenZip.default as unknown as sevenZip.SevenZipModuleFactory;
const module = await open({ print, printErr, stdin: () => null as never });
const { FS, NODEFS } = module;
FS.mkdir('/in');
FS.mount(NODEFS, { root: dirname(request.path) }, '/in');
/** Without any password 7-Zip would ask for one, and end when there is no answer. */
const noPassword = '\u0001';
const { directory, maxFileBytes, maxBytes, type, password = noPassword } = request;
const onFile = (file: Extracted) => {
  flush();
  last = file;
  waitForRoom(request.waiting, file.bytes);
};
const out = attachSink(module, { directory, maxFileBytes, maxBytes, onFile });
const container = `/in/${basename(request.path)}`;
const common = [`-t${type}`, `-p${password}`, '-bsp0', '-y'];
const commands = {
  list: ['l', '-slt', '-ba', ...common, container],
  extract: ['x', `-o${out}`, '-aoa', ...common, container],
};

/** Malformed input makes 7-Zip throw: a number for a C++ exception, or an error of the sink. */
function run(): number | undefined {
  try {
    return (module.callMain as (args: string[]) => number)(commands[request.command]);
  } catch (error) {
    if (error instanceof Error) errors.push(error.message);
    return undefined;
  }
}
const code = run();
print('');
sendListed();
flush();
send({ kind: 'ended', code, errors: errors.filter(Boolean) });
