import { Command, CommanderError } from 'commander';
import { exitCodes, explain } from './commands/exit.ts';
import { commands } from './commands/index.ts';
import { SECOND } from './lib/time.ts';
import { version } from './version.ts';

const program = new Command('millrace')
  .description(
    'Reads documents, extracts and validates structured data, and never loses a document.',
  )
  .version(version)
  .showHelpAfterError('(millrace --help lists the commands)')
  .exitOverride();
for (const add of Object.values(commands)) add(program);

// The reader of a pipe may close it early: `millrace status | head`.
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
// Do not wait for open handles, such as a client that keeps reconnecting to a lost Redis.
setTimeout(() => process.exit(), SECOND).unref();
