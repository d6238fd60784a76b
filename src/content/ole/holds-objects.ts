import type { Sample } from '../format.ts';
import { listRootNames } from './root-names.ts';

/** Storages for embedded objects: of Word, and of Excel. */
export const objectStorage = /^(ObjectPool\/[^/]+|MBD[0-9A-F]{8})\//i;

/** Whether the directory of a Word or Excel file has storages for objects. */
export async function holdsObjects({ file }: Sample): Promise<boolean> {
  const names = await listRootNames(await file());
  return names.some((name) => name === 'ObjectPool' || objectStorage.test(`${name}/`));
}
