import { closeSync, openSync } from 'node:fs';

/**
 * Named moments at which a test may make this process die, stop or fail. Nothing is armed in production: a failpoint is
 * then one look at an empty variable.
 */
let trigger: ((name: string) => void) | undefined;

/** `moment` of `stage` with a document of this `name`; patterns see `stage.moment/name`. */
export function failpoint(stage: string, moment: string, name: string): void {
  trigger?.(`${stage}.${moment}/${name}`);
}

/**
 * `pattern=action[=probability[=file]]`, several separated by commas. The pattern may hold `*`; actions are `kill`
 * (SIGKILL), `stop` (SIGSTOP), `error`, and codes of the system such as `ENOSPC`, which are thrown. With a file it
 * happens once, to whichever process makes that file.
 */
export function armFailpoints(specification: string): void {
  const rules = specification.split(',').map((rule) => {
    const [pattern = '', action = 'error', probability = '1', file] = rule.split('=');
    return { pattern: asExpression(pattern), action, probability: Number(probability), file };
  });
  trigger = (name) => {
    for (const { pattern, action, probability, file } of rules) {
      if (pattern.test(name) && Math.random() < probability && isFirst(file)) act(name, action);
    }
  };
}

function asExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
}

function isFirst(file: string | undefined): boolean {
  if (file === undefined) return true;
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
}

function act(name: string, action: string): void {
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (action === 'stop') process.kill(process.pid, 'SIGSTOP');
  else throw Object.assign(new Error(`Failpoint ${name}`), { code: action });
}
