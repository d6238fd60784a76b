import { PermanentError } from '../../errors.ts';
import type { ContentFile, Format } from '../format.ts';
import { withDecrypted } from '../office/decrypt.ts';
import { kindOfPackage } from '../ooxml/recognise.ts';
import { sheet } from '../sheet/index.ts';
import { slides } from '../slides/index.ts';
import { word } from '../word/index.ts';

/** Decrypts a document and reads it as what is inside. */
export function openEncrypted<File extends ContentFile, Result>(
  input: File,
  read: (format: Format, file: File) => Promise<Result> | undefined,
): Promise<Result> {
  return withDecrypted(input, async (file) => {
    const kind = await kindOfPackage(file.path);
    for (const format of [word, sheet, slides]) {
      const mediaType = Object.keys(format.types).find((type) => format.types[type]?.[0] === kind);
      const reading = mediaType && read(format, { ...file, mediaType });
      if (reading) return reading;
    }
    throw new PermanentError('UNSUPPORTED_TYPE', 'The decrypted file is no Office document');
  });
}
