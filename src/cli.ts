import { Command, CommanderError } from 'commander';
import { exitCodes, explain } from './commands/exit.ts';
import { commands } from './commands/index.ts';
import { SECOND } from './lib/time.ts';
import { version } from './version.ts';

const program = new Command('millrace')
  .description(
    'Takes documents in, reads them, extracts structured data, checks it, and never loses one.',
  )
  .version(version)
  .showHelpAfterError('(millrace --help lists the commands)')
  .exitOverride();
for (const add of Object.values(commands)) add(program);

// Whoever reads our output may have seen enough: `millrace status | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  else process.exitCode = explain(error);
}
// What is still open by now, such as a client that goes on calling a Redis that is gone, is not waited for.
setTimeout(() => process.exit(), SECOND).unref();
