import type { Command } from 'commander';
import { configuration, stageNames } from './configuration.ts';
import { serve } from './up.ts';

const descriptions = {
  api: 'run the HTTP API alone',
  worker: 'run stage workers alone',
  scheduler: 'run the interval jobs alone',
} as const;

/** One role a process, for pods that scale apart. */
export function roles(program: Command): void {
  for (const [role, description] of Object.entries(descriptions)) {
    const command = program.command(role).description(description);
    if (role === 'worker')
      command.option('--stages <names>', `stages to work on, separated by commas (${stageNames.join(', ')})`);
    command.action(async ({ stages }: { stages?: string }) => {
      await serve(configuration({ MILLRACE_ROLES: role, MILLRACE_STAGES: stages }), false);
    });
  }
}
