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
 * `pattern=action[=probability]`, several separated by commas. The pattern may end in `*`; actions are `kill` (SIGKILL),
 * `stop` (SIGSTOP) and `error` (throws).
 */
export function armFailpoints(specification: string): void {
  const rules = specification.split(',').map((rule) => {
    const [pattern = '', action = 'error', probability = '1'] = rule.split('=');
    return { pattern: new RegExp(`^${pattern.replaceAll('*', '.*')}$`), action, probability: Number(probability) };
  });
  trigger = (name) => {
    for (const { pattern, action, probability } of rules) {
      if (pattern.test(name) && Math.random() < probability) act(name, action);
    }
  };
}

function act(name: string, action: string): void {
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (action === 'stop') process.kill(process.pid, 'SIGSTOP');
  else throw new Error(`Failpoint ${name}`);
}
