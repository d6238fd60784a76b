import type { Format } from '../format.ts';
import { recogniseOle } from '../ole/recognise.ts';

const mediaType = 'application/x-ooxml-protected';

/** DOCX, XLSX and PPTX with a password. Which of them it is shows only when it is opened. */
export const encryptedOffice: Format = {
  title: 'Encrypted Office document',
  types: { [mediaType]: ['docx', 'xlsx', 'pptx'] },
  accepts: async (sample) => ((await recogniseOle(sample)) === 'encrypted' ? mediaType : undefined),
  inspect: async (input) =>
    (await import('./open.ts')).openEncrypted(input, (format, file) => format.inspect?.(file)),
  text: async (input) =>
    (await import('./open.ts')).openEncrypted(input, (format, file) => format.text?.(file)),
  metadata: async (input) =>
    (await import('./open.ts')).openEncrypted(input, (format, file) => format.metadata?.(file)),
};
