import { readFile, stat } from 'node:fs/promises';
import { PermanentError } from '../../errors.ts';
import type { ContentFile } from '../format.ts';
import type { MapiMessage } from './message.ts';
import { parseMsg } from './msg.ts';
import { parseTnef } from './tnef.ts';

/** A message is read into memory. */
const maxBytes = 2 ** 28;

export async function openOutlook({ path, mediaType }: ContentFile): Promise<MapiMessage> {
  const { size } = await stat(path);
  if (size > maxBytes)
    throw new PermanentError(
      'CONTAINER_TOO_LARGE',
      `The message has ${size} bytes; the limit is ${maxBytes}`,
    );
  const parse = mediaType === 'application/vnd.ms-tnef' ? parseTnef : parseMsg;
  return parse(await readFile(path));
}
