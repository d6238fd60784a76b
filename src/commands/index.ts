import type { Command } from 'commander';
import { dlq } from './dlq.ts';
import { doctor } from './doctor.ts';
import { env } from './env.ts';
import { migrate } from './migrate.ts';
import { roles } from './roles.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';
import { status } from './status.ts';
import { submit } from './submit.ts';
import { up } from './up.ts';
import { why } from './why.ts';

/** Every command adds itself to the program. */
export const commands = { up, run, submit, status, why, dlq, roles, migrate, env, doctor, simulate } satisfies Record<
  string,
  (program: Command) => void
>;
