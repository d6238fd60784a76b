import { PermanentError } from '../../errors.ts';
import { printable } from '../../lib/printable.ts';
import { readStart } from '../read-start.ts';
import { detectText } from './detect-text.ts';

/** Covers the maximum text length in any encoding. */
const maxBytes = 40_000_000;

/** The start of a text file, decoded. */
export async function loadText(path: string): Promise<{ text: string; isWhole: boolean }> {
  const { bytes, isWhole } = await readStart(path, maxBytes);
  if (bytes.length === 0) throw new PermanentError('EMPTY_FILE', 'The text file is empty');
  return { text: printable(await detectText(bytes)), isWhole };
}
