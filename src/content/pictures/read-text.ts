import type { PictureLimits, TextInput, TextOutput } from '../format.ts';
import { readText } from '../second-engine/office-text.ts';
import { Pictures } from './pictures.ts';

/** What a caller of the sandbox asks for. */
export interface TextRequest extends Omit<TextInput, 'pictures'> {
  /** Also saves the pictures in the file, and marks their places in the text. */
  pictures?: PictureLimits | undefined;
}

export async function readTextAndPictures({
  pictures: limits,
  ...input
}: TextRequest): Promise<TextOutput> {
  if (!limits) return readText(input);
  const pictures = new Pictures(limits);
  const output = await readText({ ...input, pictures });
  // The text of a second engine does not mark where pictures are.
  if (output.engine !== undefined) return output;
  await pictures.save();
  return { ...output, ...pictures.result };
}
