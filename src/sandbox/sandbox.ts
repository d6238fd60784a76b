import type { Share } from '../domain/sandbox-share.ts';
import { entryPoint } from '../lib/entry-point.ts';
import { MINUTE } from '../lib/time.ts';
import type { Request } from './messages.ts';
import type { InputOf, OutputOf } from './operation.ts';
import type { Operations } from './operations.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { shareKey } from './share.ts';
import type { RunOptions } from './worker-process.ts';

export interface SandboxOptions extends PoolOptions {
  /** Processes that only run light operations, in addition to `processes`; 1 when absent. */
  lightProcesses?: number;
  /** Which jobs may use the same process, one after the other; `workspace` when absent. */
  share?: Share;
}

/** Child processes for work on hostile input: parsing, rendering, OCR, understanding. */
export class Sandbox {
  readonly #pool: Pool<Operations>;
  /** Light operations do not wait behind minutes of OCR. */
  readonly #light: Pool<Operations>;
  /** Somebody waits for a rendition: it waits neither behind OCR nor behind understanding. */
  readonly #renditions: Pool<Operations>;
  readonly #lightProcesses: number;
  readonly #share: Share;

  constructor({ lightProcesses = 1, share = 'workspace', ...options }: SandboxOptions) {
    this.#lightProcesses = lightProcesses;
    this.#share = share;
    const entry = entryPoint(import.meta.url, 'child');
    this.#pool = new Pool(entry, { ...options, warmUp: loadModels });
    this.#light = new Pool(entry, { ...options, processes: lightProcesses });
    this.#renditions = new Pool(entry, { ...options, processes: lightProcesses });
  }

  run<Name extends keyof Operations>(
    operation: Name,
    input: InputOf<Operations, Name>,
    options: RunOptions,
  ): Promise<OutputOf<Operations, Name>> {
    const { key = shareKey(this.#share) } = options;
    if (isRendition(operation)) return this.#renditions.run(operation, input, { ...options, key });
    if (!isLight(operation)) return this.#pool.run(operation, input, { ...options, key });
    const timeoutMs = Math.min(options.timeoutMs, longestLightMs);
    return this.#light.run(operation, input, { ...options, key, timeoutMs });
  }

  describe(): string {
    return `${this.#pool.describe()}, ${sharing[this.#share]}; ${this.#lightProcesses} more for understanding, and as many for page images`;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool, this.#light, this.#renditions].map((pool) => pool.close()));
  }
}

const sharing: Record<Share, string> = {
  workspace: 'not shared between workspaces',
  none: 'not shared between documents',
  all: 'shared by all workspaces',
};

/** Loading the models takes longer than starting the process. */
function loadModels(operation: string): Request | undefined {
  if (operation !== 'recognition.page') return undefined;
  return { operation: 'recognition.load' satisfies keyof Operations, input: undefined };
}

/** Many times what the longest document needs. */
const longestLightMs = 2 * MINUTE;

/** Operations on text that was already read: their cost is linear in its length. */
function isLight(operation: keyof Operations): boolean {
  return operation.startsWith('understanding.');
}

function isRendition(operation: keyof Operations): boolean {
  return operation.startsWith('rendition.');
}

/** Runs an operation in a child process of the pool or of BullMQ. */
export type RunInSandbox = <Name extends keyof Operations>(
  operation: Name,
  input: InputOf<Operations, Name>,
) => Promise<OutputOf<Operations, Name>>;

/** Entry point of the children that BullMQ starts. */
export const processorEntry = entryPoint(import.meta.url, 'processor');

export function openSandbox(options: SandboxOptions): Sandbox {
  return new Sandbox(options);
}
