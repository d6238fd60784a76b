import { type Config, loadConfig } from '../config/index.ts';
import { queueNames } from '../engine/pipeline/pipeline.ts';
import { pipeline } from '../workers/pipeline.ts';

export const stageNames = queueNames(pipeline);

/** The configuration of this process; what a command was told on its line wins over the environment. */
export function configuration(overrides: NodeJS.ProcessEnv = {}): Config {
  const told = Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  );
  return loadConfig({ ...process.env, ...told }, stageNames);
}
