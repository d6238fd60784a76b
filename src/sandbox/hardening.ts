import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { testHooks } from '../lib/test-hooks.ts';
import { HOUR, SECOND } from '../lib/time.ts';
import { directories, findLauncher } from './launcher.ts';

export interface Hardening {
  /** For `fork`: Node.js itself, or the first of the tools that start it. */
  execPath: string;
  execArgv: string[];
  env: Record<string, string>;
  /** The limits that apply, as text for people. */
  description: string;
}

export interface HardeningOptions {
  memoryMb: number;
  /** Largest file that a child may write; unlimited when absent. */
  fileMb?: number | undefined;
  /** Files and directories that a child cannot read, where the system allows it. */
  hidden?: readonly string[] | undefined;
  execArgv?: readonly string[];
}

/** A backstop of the kernel. A process is replaced long before it has used so much. */
const cpuMs = 6 * HOUR;
/** V8, WebAssembly and ONNX reserve much more address space than they use. */
const addressSpaceBytes = 256 * 2 ** 30;

/**
 * How to start a process for hostile input: without our environment, killed with its parent, with
 * limits that cover native memory, and without network where the system allows it.
 */
export function harden({
  memoryMb,
  fileMb,
  hidden = [],
  execArgv = [],
}: HardeningOptions): Hardening {
  const launcher = findLauncher();
  const limits = [
    `--data=${memoryMb * 2 ** 20}`,
    `--as=${addressSpaceBytes}`,
    `--cpu=${cpuMs / SECOND}`,
    ...(fileMb === undefined ? [] : [`--fsize=${fileMb * 2 ** 20}`]),
    '--core=0',
  ];
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    ...execArgv,
    ...(testHooks()?.execArgv ?? []),
  ];
  const [execPath = process.execPath, ...rest] = launcher.wrap(node, limits, hidden);
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
  return { execPath, execArgv: rest, env, description: describe(memoryMb) };
}

function describe(memoryMb: number): string {
  const { isolates, dropsRights, limitsResources } = findLauncher();
  return [
    limitsResources
      ? `${memoryMb} MB each, native memory included`
      : `${memoryMb} MB of V8 heap each`,
    ...(isolates ? ['no network'] : []),
    ...(dropsRights ? ['no new privileges', 'killed with their parent'] : []),
  ].join(', ');
}
