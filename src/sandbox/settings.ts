import { homedir, tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/index.ts';
import type { SandboxOptions } from './sandbox.ts';

/** Limits of all sandbox processes, those of the pool and those of BullMQ. */
export function sandboxSettings(
  config: Config,
): Pick<SandboxOptions, 'fileMb' | 'hidden' | 'share'> {
  return {
    share: config.MILLRACE_SANDBOX_SHARE,
    fileMb: config.MILLRACE_MAX_UNPACKED_MB,
    hidden: hiddenPaths(config),
  };
}

/** Our own data and credentials. A child gets copies of what it works on. */
function hiddenPaths(config: Config): string[] {
  const home = ['.aws', '.azure', '.config', '.docker', '.kube', '.ssh'];
  return [
    resolve(config.MILLRACE_DATA),
    ...(config.GOOGLE_APPLICATION_CREDENTIALS ? [config.GOOGLE_APPLICATION_CREDENTIALS] : []),
    ...home.map((name) => join(homedir(), name)),
    '/run/secrets',
    '/var/run/secrets',
  ].filter((path) => !holdsProgram(path));
}

/** Covering this program, Node.js or the work directories would keep a child from working. */
function holdsProgram(path: string): boolean {
  return [fileURLToPath(import.meta.url), process.execPath, join(tmpdir(), 'work')].some((file) =>
    file.startsWith(path.endsWith(sep) ? path : path + sep),
  );
}
