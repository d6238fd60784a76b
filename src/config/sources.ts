import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { keys } from '../lib/keys.ts';
import { type EnvName, env, isSecret } from './env/index.ts';

export type Source = 'environment' | '.env' | 'file' | 'default';

export interface FoundValue {
  values: Record<string, string>;
  sources: Partial<Record<EnvName, Source>>;
  problems: string[];
}

/**
 * Gathers variables. The environment overrides `.env`, and a secret may be in the file that
 * `NAME_FILE` names. Empty means not set.
 */
export function gather(environment: NodeJS.ProcessEnv, dotEnvPath: string | undefined): FoundValue {
  const dotEnv: Record<string, string | undefined> =
    dotEnvPath && existsSync(dotEnvPath) ? { ...parseEnv(readFileSync(dotEnvPath, 'utf8')) } : {};
  const found: FoundValue = { values: {}, sources: {}, problems: [] };
  for (const [name, value] of Object.entries({ ...dotEnv, ...nonEmpty(environment) })) {
    if (value) found.values[name] = value;
  }
  for (const name of keys(env.shape)) {
    if (found.values[name]) found.sources[name] = environment[name] ? 'environment' : '.env';
    const path = found.values[`${name}_FILE`];
    if (!path || !isSecret(name)) continue;
    try {
      found.values[name] = readFileSync(path, 'utf8').trim();
      found.sources[name] = 'file';
    } catch (error) {
      found.problems.push(
        `${name}_FILE: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
  return found;
}

function nonEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
}
