import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of a program in these folders, by default those of PATH; links are resolved. */
export function findProgram(
  name: string,
  folders: readonly string[] = (process.env.PATH ?? '').split(delimiter),
): string | undefined {
  const found = folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);
  return found === undefined ? undefined : realpathSync(found);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
