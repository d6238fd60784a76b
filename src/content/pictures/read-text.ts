import type { PictureLimits, TextInput, TextOutput } from '../format.ts';
import { requireCapability } from '../index.ts';
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
  const read = requireCapability(input.mediaType, 'text');
  if (!limits) return read(input);
  const pictures = new Pictures(limits);
  const output = await read({ ...input, pictures });
  await pictures.save();
  return { ...output, ...pictures.result };
}
