import { queuesNamed } from '../domain/lane.ts';
import { SetupError } from '../errors.ts';
import { describeIssue } from '../lib/issue-text.ts';
import { keys } from '../lib/keys.ts';
import { type Env, env, isSecret } from './env/index.ts';
import { gather, type Source } from './sources.ts';
import { readStageOverrides, type StageOverrides, stageSettings, stageVariable } from './stages.ts';

export interface Config extends Readonly<Env> {
  stages: Readonly<Record<string, StageOverrides>>;
  sources: Readonly<Partial<Record<keyof Env, Source>>>;
}

/** Reads the configuration. All of its problems are reported together. */
export function loadConfig(
  environment: NodeJS.ProcessEnv,
  stageNames: readonly string[],
  dotEnvPath: string | undefined = '.env',
): Config {
  const { values, sources, problems } = gather(environment, dotEnvPath);
  const parsed = env.safeParse(values);
  if (!parsed.success) {
    problems.push(
      ...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${describeIssue(issue)}`),
    );
  }
  const stages = readStageOverrides(values, stageNames, problems);
  problems.push(
    ...unknownNames(values, stageNames),
    ...unknownStages(values.MILLRACE_STAGES, stageNames),
  );
  if (!parsed.success || problems.length > 0) {
    throw new SetupError(
      `The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
      '`millrace env` prints all variables with their descriptions.',
    );
  }
  return { ...parsed.data, stages, sources };
}

/** The values that must never be logged or shown. */
export function collectSecrets(config: Config): string[] {
  return keys(env.shape)
    .filter(isSecret)
    .flatMap((name) => (config[name] === undefined ? [] : [String(config[name])]));
}

/** A misspelled MILLRACE_ variable would otherwise be ignored silently. */
function unknownNames(values: Record<string, string>, stageNames: readonly string[]): string[] {
  const known = new Set<string>([
    ...keys(env.shape).flatMap((name) => [name, `${name}_FILE`]),
    ...stageNames.flatMap((stage) =>
      keys(stageSettings).map((setting) => stageVariable(stage, setting)),
    ),
    'MILLRACE_CORPORA',
  ]);
  return Object.keys(values)
    .filter(
      (name) =>
        name.startsWith('MILLRACE_') && !name.startsWith('MILLRACE_TEST_') && !known.has(name),
    )
    .map((name) => `${name}: no such variable`);
}

function unknownStages(chosen: string | undefined, stageNames: readonly string[]): string[] {
  return (chosen?.split(',') ?? [])
    .map((stage) => stage.trim())
    .filter(
      (stage) => stage && stage !== 'quarantine' && queuesNamed(stage, stageNames).length === 0,
    )
    .map(
      (stage) =>
        `MILLRACE_STAGES: no stage "${stage}"; choose from ${stageNames.join(', ')}, quarantine`,
    );
}
