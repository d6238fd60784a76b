import type { Command } from 'commander';
import { configuration, stageNames } from './configuration.ts';
import { respawning } from './respawn.ts';
import { serve } from './up.ts';

const descriptions = {
  api: 'run the HTTP API alone',
  scheduler: 'run the interval jobs alone',
} as const;

/** One role a process, for pods that scale apart. */
export function roles(program: Command): void {
  for (const [role, description] of Object.entries(descriptions)) {
    program
      .command(role)
      .description(description)
      .action(() => serve(configuration({ MILLRACE_ROLES: role }), false));
  }
  program
    .command('worker')
    .description('run stage workers alone')
    .option('--stages <names>', `stages to work on, separated by commas (${stageNames.join(', ')})`)
    .option(
      '--respawn',
      'start another worker whenever one has done its share; so it is in a terminal',
    )
    .option('--no-respawn', 'leave that to whoever started this one')
    .action(async ({ stages, respawn }: { stages?: string; respawn?: boolean }) => {
      const config = configuration({ MILLRACE_ROLES: 'worker', MILLRACE_STAGES: stages });
      await ((respawn ?? process.stderr.isTTY) ? respawning() : serve(config, false));
    });
}
