import { spawnSync } from 'node:child_process';

/** Whether a program is on the PATH. Tests that need one that is not are skipped. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
