/**
 * Hooks that a test installs by preloading a module (`node --import`). They cannot be set through
 * the environment, the configuration or a document.
 */
export interface TestHooks {
  /** Called at each failpoint with `stage.moment/name`. */
  failpoint?: (name: string) => void;
  /** Extra formats, for test documents that misbehave on purpose. */
  formats?: Readonly<Record<string, unknown>>;
  /** Node options that install the same hooks in child processes. */
  execArgv: readonly string[];
}

const key = Symbol.for('millrace.test-hooks');

export function testHooks(): TestHooks | undefined {
  return Reflect.get(globalThis, key);
}

/**
 * A named point where a test can kill, stop or fail this process: `moment` of `stage`, for the
 * document `name`.
 */
export function failpoint(stage: string, moment: string, name: string): void {
  testHooks()?.failpoint?.(`${stage}.${moment}/${name}`);
}
