import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import officeCrypto from 'officecrypto-tool';
import { PermanentError } from '../../errors.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { ContentFile } from '../format.ts';

/** Office encrypts with this password if a workbook is only protected against changes. */
const defaultPassword = 'VelvetSweatshop';
/** It is decrypted in memory. */
const maxBytes = 2 ** 28;

/** Reads a document. If it turns out to be encrypted, a decrypted copy is read instead. */
export async function decryptIfNeeded<File extends ContentFile, Result>(
  file: File,
  read: (file: File) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(file);
  } catch (error) {
    if (!(error instanceof PermanentError) || error.code !== 'PASSWORD_PROTECTED') throw error;
    return withDecrypted(file, read);
  }
}

/** Decrypts an Office document into a file next to it while `read` runs. */
export async function withDecrypted<File extends ContentFile, Result>(
  file: File,
  read: (file: File) => Promise<Result>,
): Promise<Result> {
  const path = `${file.path}.${randomUUID()}`;
  try {
    await writeFile(path, await decrypt(file), { mode: 0o600, flag: 'wx' });
    return await read({ ...file, path });
  } finally {
    await rm(path, { force: true });
  }
}

async function decrypt({ path, password }: ContentFile): Promise<Buffer> {
  if ((await stat(path)).size > maxBytes)
    throw new PermanentError('PASSWORD_PROTECTED', 'The document is too large to be decrypted');
  const bytes = await readFile(path);
  const passwords = [defaultPassword, ...(password === undefined ? [] : [password])];
  let reason = '';
  for (const candidate of passwords) {
    try {
      return await officeCrypto.decrypt(bytes, { password: candidate });
    } catch (error) {
      reason = describeError(error);
    }
  }
  throw refusal(reason, password !== undefined);
}

function refusal(reason: string, tried: boolean): PermanentError {
  const message = !/password is incorrect/i.test(reason)
    ? `The document is encrypted, and could not be decrypted: ${reason}`
    : tried
      ? 'The password does not open the document'
      : 'The document cannot be opened without a password';
  return new PermanentError('PASSWORD_PROTECTED', message);
}
