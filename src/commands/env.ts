import type { Command } from 'commander';
import { envExample } from '../config/example.ts';
import { stageNames } from './configuration.ts';

export function env(program: Command): void {
  program
    .command('env')
    .description('print all environment variables with defaults and descriptions (.env.example)')
    .action(() => {
      process.stdout.write(envExample(stageNames));
    });
}
