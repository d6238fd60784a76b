import { Command, CommanderError } from 'commander';
import { commands } from '../../src/commands/index.ts';
import { queuesNamed } from '../../src/domain/lane.ts';
import { defaultLimits, queueNames } from '../../src/engine/pipeline/pipeline.ts';
import { quarantine } from '../../src/engine/task/task.ts';
import { pipeline } from '../../src/workers/pipeline.ts';

/** Problems with command-line arguments. Nothing is run. */
export function commandProblems(args: readonly string[]): string[] {
  const program = new Command('millrace')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const add of Object.values(commands)) add(program);
  for (const command of program.commands) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    command.action(() => undefined);
  }
  try {
    program.parse([...args], { from: 'user' });
    return [];
  } catch (error) {
    if (error instanceof CommanderError) return [error.message];
    throw error;
  }
}

/** The stages in the `--stages` option of a worker. */
export function stagesOf(args: readonly string[]): string[] {
  const at = args.indexOf('--stages');
  return at < 0 ? [] : (args[at + 1] ?? '').split(',');
}

/** The queues behind these stage names. */
export function queuesServed(stages: readonly string[]): string[] {
  return stages.flatMap((name) =>
    name === quarantine ? name : queuesNamed(name, queueNames(pipeline)),
  );
}

/**
 * The longest possible run time of a task in these stages. Quarantine may run tasks of any stage.
 */
export function longestOf(stages: readonly string[]): number {
  const queues = stages.includes(quarantine) ? queueNames(pipeline) : queuesServed(stages);
  return Math.max(0, ...queues.map((queue) => defaultLimits(pipeline, queue).timeoutMs));
}
