import { basename } from 'node:path/posix';
import type { UnpackedEntry } from '../container.ts';
import type { UnpackInput } from '../format.ts';
import { type DocumentObject, unpackObjects } from '../office/unpack-objects.ts';
import { listAttachments, listPinned } from './attachments.ts';
import { type PdfDocument, withPdf } from './document.ts';

/** One attachment. PDFium holds it in memory. */
const maxBytes = 2 ** 28;

/** Unpacks the files attached to a PDF, and those of a portfolio. */
export async function* unpackPdf(input: UnpackInput): AsyncGenerator<UnpackedEntry> {
  const names = await withPdf(input, (document) => readAll(document, () => undefined));
  const objects = names.map(
    ({ name }, i): DocumentObject => ({
      name: basename(name.replaceAll('\\', '/')) || `attachment-${i + 1}`,
      // Opened anew for each, so that only one of them is in memory.
      read: async () => {
        const all = await withPdf(input, (document) => readAll(document, (at) => at === i));
        const bytes = all[i]?.bytes;
        if (!bytes) throw new Error('The attachment is empty, damaged or too large');
        return bytes;
      },
    }),
  );
  yield* unpackObjects(objects, input);
}

/** The names of all attachments, and the bytes of those that are wanted. */
function readAll(document: PdfDocument, isWanted: (index: number) => boolean | undefined) {
  let index = -1;
  const take = ({ name, read }: { name: string; read(most: number): Buffer | undefined }) => {
    index += 1;
    return { name, bytes: isWanted(index) ? read(maxBytes) : undefined };
  };
  const attached = listAttachments(document).map(take);
  const pinned = Array.from({ length: document.pages }, (_, i) =>
    listPinned(document, i + 1, take),
  );
  return [...attached, ...pinned.flat()];
}
