// Preloaded (`node --import`) into processes of the built product that should misbehave. Arms
// failpoints and adds a format for documents that contain instructions for their reader. Plain
// JavaScript, so that it loads without a compiler.

import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const mockType = 'application/x-millrace-mock+json';

/** Patterns match names of the form `stage.moment/document name`. */
export const hooks = {
  failpoint: undefined,
  formats: { mock: mockFormat() },
  execArgv: ['--import', import.meta.url],
};
Reflect.set(globalThis, Symbol.for('millrace.test-hooks'), hooks);
armFailpoints(process.env.TEST_FAILPOINTS ?? '');

/**
 * `pattern=action[=probability[=file]]`, separated by commas. Patterns may contain `*`. Actions are
 * `kill` (SIGKILL), `stop` (SIGSTOP), `error`, and system error codes such as `ENOSPC`, which are
 * thrown. With a file, the action happens once, in the first process that creates the file.
 * @param {string} specification
 */
export function armFailpoints(specification) {
  const rules = specification
    .split(',')
    .filter(Boolean)
    .map((rule) => {
      const [pattern = '', action = 'error', probability = '1', file] = rule.split('=');
      return { pattern: asExpression(pattern), action, probability: Number(probability), file };
    });
  hooks.failpoint = (name) => {
    for (const { pattern, action, probability, file } of rules)
      if (pattern.test(name) && Math.random() < probability && isFirst(file)) act(name, action);
  };
}

function asExpression(pattern) {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
}

function isFirst(file) {
  if (file === undefined) return true;
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
}

function act(name, action) {
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (action === 'stop') process.kill(process.pid, 'SIGSTOP');
  else throw Object.assign(new Error(`Failpoint ${name}`), { code: action });
}

/** A document `{"millrace-mock": [{"do": "sleep", "ms": 1}, …]}` that misbehaves on command. */
function mockFormat() {
  return {
    title: 'Mock',
    types: { [mockType]: ['json'] },
    accepts: ({ signature, text }) =>
      signature === undefined && /^\s*\{\s*"millrace-mock"/.test(text) ? mockType : undefined,
    inspect: async () => ({ pages: 1, encrypted: false, embedded: [] }),
    async text({ path }) {
      const steps = JSON.parse(await readFile(path, 'utf8'))['millrace-mock'];
      const said = [];
      for (const step of steps) await actions[step.do](step, said);
      return {
        pages: [{ number: 1, width: 0, height: 0, text: said.join('\n'), words: [] }],
        truncated: false,
      };
    },
  };
}

const kept = [];

const actions = {
  sleep: ({ ms }) => sleep(ms),
  /** Blocks the event loop. */
  spin({ ms }) {
    const end = Date.now() + ms;
    while (Date.now() < end);
  },
  allocate({ mb, native = false }) {
    for (let i = 0; i < mb; i++)
      kept.push(native ? Buffer.alloc(2 ** 20, 1) : new Array(2 ** 17).fill(0.5));
  },
  exit: ({ code }) => process.exit(code),
  signal: ({ name }) => process.kill(process.pid, name),
  throw({ message }) {
    throw new Error(message);
  },
  /** An unhandled promise rejection. */
  reject({ message }) {
    void Promise.reject(new Error(message));
  },
  flood({ mb }) {
    for (let i = 0; i < mb; i++) process.stdout.write('x'.repeat(2 ** 20));
  },
  say({ text }, said) {
    said.push(text);
  },
};
