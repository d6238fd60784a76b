import { type Config, loadConfig } from '../config/index.ts';
import { queueNames } from '../engine/pipeline/pipeline.ts';
import { pipeline } from '../workers/pipeline.ts';

export const stageNames = queueNames(pipeline);

/** The configuration of this process. Options on the command line override the environment. */
export function configuration(overrides: NodeJS.ProcessEnv = {}): Config {
  const given = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  );
  return loadConfig({ ...process.env, ...given }, stageNames);
}
