import { testHooks } from './test-hooks.ts';

/** A named moment at which a test may make this process die, stop or fail: `moment` of `stage`, with a document of this `name`. */
export function failpoint(stage: string, moment: string, name: string): void {
  testHooks()?.failpoint?.(`${stage}.${moment}/${name}`);
}
