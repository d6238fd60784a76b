import { capText } from '../../domain/transcription.ts';
import type { TextInput, TextOutput } from '../format.ts';
import { readBody, underHeading } from './body.ts';
import { parseMessage } from './parse.ts';

/** Reads a message as one page: the usual header lines, then its text. */
export async function readMessage({ path, maxText }: TextInput): Promise<TextOutput> {
  const email = await parseMessage(path);
  const text = underHeading(email, readBody(email));
  return capText([{ number: 1, width: 0, height: 0, text, words: [] }], maxText);
}
