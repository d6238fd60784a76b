import { Command, CommanderError } from 'commander';
import { commands } from '../../src/commands/index.ts';

/** Whether the command line takes these arguments; nothing is run. */
export function commandProblems(args: readonly string[]): string[] {
  const program = new Command('millrace').exitOverride().configureOutput({ writeErr: () => undefined });
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

/** The stages that a worker is told to take. */
export function stagesOf(args: readonly string[]): string[] {
  const at = args.indexOf('--stages');
  return at < 0 ? [] : (args[at + 1] ?? '').split(',');
}
