import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { findProgram } from '../lib/find-program.ts';

/** Programs that start a child with fewer rights, and what they achieve on this machine. */
export interface Launcher {
  /** Whether a child has no network and cannot read hidden files or the memory of others. */
  isolates: boolean;
  /** Whether a child and what it starts can never gain rights. */
  dropsRights: boolean;
  limitsResources: boolean;
  /** Why something of the above is missing. */
  reasons: string[];
  /** The command line that starts `command` with these limits and hidden paths. */
  wrap(command: readonly string[], limits: readonly string[], hidden: readonly string[]): string[];
}

export const directories = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Covers directories with empty ones and files with /dev/null, then runs the rest. */
const hide = `
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o ro,size=4k,mode=0 none "$1" || exit 1
  elif [ -e "$1" ]; then mount --bind /dev/null "$1" || exit 1
  fi
  shift
done
shift
unset PWD
exec "$@"`;

/**
 * A user namespace first: it needs no rights, and a process in it can neither trace ours nor read
 * their environment, although it has the same user.
 */
const isolation = (unshare: string, hidden: readonly string[]) => [
  ...[unshare, '--user', '--map-root-user', '--net', '--ipc', '--mount', '--'],
  ...['/bin/sh', '-c', hide, 'sh', ...hidden, '--'],
];
/** Set last, because changing the user namespace clears the signal. */
const rights = (setpriv: string) => [setpriv, '--no-new-privs', '--pdeathsig', 'KILL'];
const noCapabilities = ['--inh-caps=-all', '--bounding-set=-all'];

let found: Launcher | undefined;

/** Looks once per process for what works here: containers often forbid namespaces. */
export function findLauncher(): Launcher {
  found ??= look();
  return found;
}

function look(): Launcher {
  const [unshare, setpriv, prlimit] = ['unshare', 'setpriv', 'prlimit'].map(findTool);
  const reasons: string[] = [];
  const works = (what: string, command: readonly string[]) => {
    const problem = tryOut(command);
    if (problem) reasons.push(`${what}: ${problem}`);
    return problem === undefined;
  };
  const isolates =
    unshare !== undefined &&
    setpriv !== undefined &&
    works('no isolation', [
      ...isolation(unshare, [tmpdir()]),
      ...rights(setpriv),
      ...noCapabilities,
      'true',
    ]);
  const dropsRights =
    setpriv !== undefined && works('rights are kept', [...rights(setpriv), 'true']);
  const missing = Object.entries({ unshare, setpriv, prlimit }).filter(([, path]) => !path);
  reasons.push(...missing.map(([name]) => `${name} not found`));
  return {
    isolates,
    dropsRights,
    limitsResources: prlimit !== undefined,
    reasons,
    wrap: (command, limits, hidden) => [
      ...(isolates ? isolation(unshare, hidden) : []),
      ...(dropsRights ? rights(setpriv) : []),
      ...(isolates ? noCapabilities : []),
      ...(dropsRights ? ['--'] : []),
      ...(prlimit ? [prlimit, ...limits, '--'] : []),
      ...command,
    ],
  };
}

/** Undefined if the command succeeds, else why not. */
function tryOut([program = '', ...args]: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: directories.join(':') },
    timeout: 10_000,
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  return stderr?.trim().split('\n')[0] || error?.message || `exit code ${status}`;
}

function findTool(name: string): string | undefined {
  return process.platform === 'linux' ? findProgram(name, directories) : undefined;
}
