import type { Command } from 'commander';
import { configuration, stageNames } from './configuration.ts';
import { respawning } from './respawn.ts';
import { serve } from './up.ts';

const descriptions = {
  api: 'run only the HTTP API',
  scheduler: 'run only the interval jobs',
} as const;

/** One role per process, for pods that scale independently. */
export function roles(program: Command): void {
  for (const [role, description] of Object.entries(descriptions)) {
    program
      .command(role)
      .description(description)
      .action(() => serve(configuration({ MILLRACE_ROLES: role }), false));
  }
  program
    .command('worker')
    .description('run only stage workers')
    .option('--stages <names>', `stages to run, comma-separated (${stageNames.join(', ')})`)
    .option(
      '--respawn',
      'start a new worker when one has reached its lifetime (default in a terminal)',
    )
    .option('--no-respawn', 'exit instead, so that a supervisor can start a new worker')
    .action(async ({ stages, respawn }: { stages?: string; respawn?: boolean }) => {
      const config = configuration({ MILLRACE_ROLES: 'worker', MILLRACE_STAGES: stages });
      await ((respawn ?? process.stderr.isTTY) ? respawning() : serve(config, false));
    });
}
