import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a program can be run here; `-v` must make it end well. */
export async function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)(program, ['-v']).then(
    () => true,
    () => false,
  );
}
