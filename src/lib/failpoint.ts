import { testHooks } from './test-hooks.ts';

/**
 * A named point where a test can kill, stop or fail this process: `moment` of `stage`, for the
 * document `name`.
 */
export function failpoint(stage: string, moment: string, name: string): void {
  testHooks()?.failpoint?.(`${stage}.${moment}/${name}`);
}
