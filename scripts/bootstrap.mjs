import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Runs a command of this project on a fresh clone:
 * `node scripts/bootstrap.mjs [--build] -- <command> [arguments]`.
 * Installs packages and builds first if they are missing or out of date. Uses only what ships with
 * Node.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const installMark = join(modules, '.millrace-lock');
const buildMark = join(root, 'dist', '.millrace-build');
const lock = join(root, '.millrace', 'bootstrap.lock');
const workerFile = join(lock, 'worker');
const heartbeatMs = 1_000;
const staleMs = 10 * heartbeatMs;
const orphanMs = 5 * 60_000;
const shownLines = 20;
const installAdvice =
  'Packages could not be installed. See the output above and check the npm registry (`npm ping`).';

let interrupted = false;

await main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode ||= 1;
});

async function main(args) {
  const separator = args.indexOf('--');
  const [command, ...rest] = separator < 0 ? [] : args.slice(separator + 1);
  if (!command)
    throw new Error('usage: node scripts/bootstrap.mjs [--build] -- <command> [arguments]');
  checkNode();
  const build = args.slice(0, separator).includes('--build');
  if (!installed() || (build && !built())) await withLock(() => prepare(build));
  process.exitCode = exitCodeOf(await run(command, rest, { stdio: 'inherit' }));
}

function checkNode() {
  const { engines } = JSON.parse(read(join(root, 'package.json')));
  const wanted = engines.node.replace(/^>=/, '').split('.').map(Number);
  const found = process.versions.node.split('.').map(Number);
  const i = wanted.findIndex((part, at) => part !== found[at]);
  if (i >= 0 && found[i] < wanted[i]) {
    throw new Error(
      `Millrace needs Node ${wanted.join('.')} or newer, but this is ${process.versions.node}. Install it from https://nodejs.org.`,
    );
  }
}

async function prepare(build) {
  // Checked again: another process may have installed while this one waited for the lock.
  if (!installed()) {
    rmSync(installMark, { force: true });
    await step(
      'Installing packages',
      'npm',
      ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
      installAdvice,
    );
    writeFileSync(installMark, lockHash());
  }
  if (build && !built()) {
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    await step(
      'Building',
      'npm',
      ['run', '--silent', 'build'],
      'The sources do not compile. Fix the errors above.',
    );
    writeFileSync(buildMark, sourceHash());
  }
}

function installed() {
  const found = lstatSync(modules, { throwIfNoEntry: false });
  return found?.isSymbolicLink() || read(installMark) === lockHash() || installedByNpm();
}

/**
 * npm writes its hidden lock file when an install is complete. Its versions must match our lock
 * file.
 */
function installedByNpm() {
  const hidden = read(join(modules, '.package-lock.json'));
  if (!hidden) return false;
  const { packages: present } = JSON.parse(hidden);
  const { packages: wanted } = JSON.parse(read(join(root, 'package-lock.json')));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    return path === '' || (present[path] ? present[path].version === version : optional);
  });
}

function built() {
  return read(buildMark) === sourceHash();
}

function lockHash() {
  return hashOf(['package-lock.json']);
}

function sourceHash() {
  const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'vite.config.ts'];
  return hashOf([...settings, ...sources('src'), ...sources('web')]);
}

function sources(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true }).map((path) =>
    join(folder, path),
  );
  return entries
    .filter((path) => !path.endsWith('.test.ts') && statSync(join(root, path)).isFile())
    .sort();
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash.update(`${path}\0`).update(
      createHash('sha256')
        .update(read(join(root, path)))
        .digest(),
    );
  return hash.digest('hex');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

async function step(title, command, args, advice) {
  const started = Date.now();
  process.stderr.write(`${title} … `);
  const output = [];
  const onStart = (pid) => writeFileSync(workerFile, String(pid));
  const result = await run(command, args, { stdio: ['ignore', 'pipe', 'pipe'], output, onStart });
  process.stderr.write(
    result.code === 0 ? `${((Date.now() - started) / 1000).toFixed(1)} s\n` : 'failed\n',
  );
  if (result.code === 0) return;
  process.exitCode = exitCodeOf(result);
  if (interrupted || result.signal)
    throw new Error('Interrupted. Run the command again to continue.');
  const lines = Buffer.concat(output).toString().trim().split('\n');
  process.stderr.write(`${lines.slice(0, shownLines).join('\n')}\n`);
  throw new Error(advice);
}

function exitCodeOf({ code, signal }) {
  return code ?? 128 + constants.signals[signal];
}

/** Runs a command until it exits and forwards signals to it. */
function run(command, args, { stdio, output = [], onStart = () => {} }) {
  const path = [join(modules, '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, PATH: path } });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => output.push(chunk));
  child.on('spawn', () => onStart(child.pid));
  const forward = (signal) => {
    interrupted = true;
    // In a terminal, Ctrl-C reaches the command directly. A second SIGINT would force it to quit.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', () =>
      reject(new Error(`"${command}" cannot be run. Install it or add it to the PATH.`)),
    );
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * One process at a time per clone. The holder refreshes its lock, so a killed holder is detected
 * even if its pid was reused.
 */
async function withLock(work) {
  mkdirSync(join(lock, '..'), { recursive: true, mode: 0o700 });
  let isReported = false;
  while (!takeLock()) {
    if (!isReported)
      process.stderr.write(
        'Waiting for another Millrace command to finish installing or building …\n',
      );
    isReported = true;
    await sleep(heartbeatMs / 4);
  }
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), heartbeatMs);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(lock, { recursive: true, force: true });
  }
}

function takeLock() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isStale(lock)) clearStaleLock();
  return false;
}

function clearStaleLock() {
  const aside = `${lock}-${randomUUID()}`;
  try {
    renameSync(lock, aside);
    // Another process may have cleared it first, so this may be its fresh lock: put it back.
    if (isStale(aside)) rmSync(aside, { recursive: true });
    else renameSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * npm outlives a killed holder and keeps writing, so its pid keeps the lock alive; but only for a
 * while, since pids are reused.
 */
function isStale(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  const silentMs = Date.now() - found.mtimeMs;
  return silentMs > (isAlive(Number(read(join(path, 'worker')))) ? orphanMs : staleMs);
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
