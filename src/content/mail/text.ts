import type { Email } from 'postal-mime';
import { capText } from '../../domain/transcription.ts';
import type { TextInput, TextOutput } from '../format.ts';
import { readBody, underHeading } from './body.ts';
import { parseMessage } from './parse.ts';
import { messagePictures } from './pictures.ts';
import { toBuffer } from './unwrap.ts';

/** Reads a message as one page: the usual header lines, then its text. */
export async function readMessage(input: TextInput): Promise<TextOutput> {
  const { path, maxText, pictures } = input;
  const email = await parseMessage(path);
  const text = underHeading(email, readBody(email, messagePictures(pictures, partsOf(email))));
  return capText([{ number: 1, width: 0, height: 0, text, words: [] }], maxText);
}

function partsOf({ attachments }: Email) {
  return attachments.map(({ contentId, content }) => ({
    contentId,
    read: () => toBuffer(content),
  }));
}
