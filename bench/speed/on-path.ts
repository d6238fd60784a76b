import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a program is installed. `program -v` must succeed. */
export async function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)(program, ['-v']).then(
    () => true,
    () => false,
  );
}
