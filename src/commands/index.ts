import type { Command } from 'commander';
import { audit } from './audit.ts';
import { batch } from './batch/index.ts';
import { check } from './check.ts';
import { deliveries } from './deliveries.ts';
import { destination } from './destination.ts';
import { dlq } from './dlq/index.ts';
import { doctor } from './doctor.ts';
import { env } from './env.ts';
import { exportData } from './export.ts';
import { hold } from './hold.ts';
import { key } from './key.ts';
import { migrate } from './migrate.ts';
import { password } from './password.ts';
import { review } from './review.ts';
import { roles } from './roles.ts';
import { run } from './run.ts';
import { schema } from './schema.ts';
import { simulate } from './simulate.ts';
import { status } from './status.ts';
import { submit } from './submit.ts';
import { up } from './up.ts';
import { webhook } from './webhook.ts';
import { why } from './why.ts';
import { workspace } from './workspace.ts';

/** Every command adds itself to the program. */
export const commands = {
  up,
  run,
  submit,
  status,
  why,
  review,
  export: exportData,
  dlq,
  batch,
  workspace,
  key,
  audit,
  hold,
  password,
  destination,
  deliveries,
  webhook,
  schema,
  roles,
  migrate,
  env,
  doctor,
  check,
  simulate,
} satisfies Record<string, (program: Command) => void>;
