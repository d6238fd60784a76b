import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { findProgram } from '../lib/find-program.ts';
import { testHooks } from '../lib/test-hooks.ts';

export interface Hardening {
  /** For `fork`: Node.js itself, or the first of the tools that start it. */
  execPath: string;
  execArgv: string[];
  env: Record<string, string>;
  /** The limits that apply, as text for people. */
  description: string;
}

const directories = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * How to start a process for hostile input: without our environment, killed with its parent, and
 * with a limit that covers native memory. Without setpriv and prlimit only the V8 heap is limited.
 */
export function harden({
  memoryMb,
  execArgv = [],
}: {
  memoryMb: number;
  execArgv?: readonly string[];
}): Hardening {
  const nodeArgv = [
    `--max-old-space-size=${memoryMb}`,
    ...execArgv,
    ...(testHooks()?.execArgv ?? []),
  ];
  const env = {
    // Programs such as LibreOffice may be installed anywhere.
    PATH: process.env.PATH || directories.join(delimiter),
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    // Keep large native buffers on the heap for the next page: returning them to the system after
    // each step of a model doubles its run time. Fewer arenas keep that heap from fragmenting.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1000000000',
    MALLOC_TRIM_THRESHOLD_: '1000000000',
  };
  const setpriv = tool('setpriv');
  const prlimit = tool('prlimit');
  if (!setpriv || !prlimit) {
    const description = `${memoryMb} MB of V8 heap each; setpriv or prlimit not found, so native memory is not limited`;
    return { execPath: process.execPath, execArgv: nodeArgv, env, description };
  }
  const limits = [`--data=${memoryMb * 2 ** 20}`, '--core=0'];
  return {
    execPath: setpriv,
    execArgv: [
      '--pdeathsig',
      'KILL',
      '--',
      prlimit,
      ...limits,
      '--',
      process.execPath,
      ...nodeArgv,
    ],
    env,
    description: `${memoryMb} MB each, native memory included; killed with their parent`,
  };
}

function tool(name: string): string | undefined {
  return process.platform === 'linux' ? findProgram(name, directories) : undefined;
}
