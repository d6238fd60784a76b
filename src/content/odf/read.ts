import { PermanentError } from '../../errors.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { onePage, selectPages, type TextRead } from '../office/pages.ts';
import { withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { walkXml } from '../xml/walk-xml.ts';
import { OdfPages } from './pages.ts';
import { odfVisitor } from './visitor.ts';

const unlimited = { maxText: Number.POSITIVE_INFINITY, maxRows: Number.POSITIVE_INFINITY };

export async function inspectOdf({ path, mediaType }: ContentFile): Promise<Inspection> {
  if (/text/.test(mediaType)) return onePage;
  const { pages } = await readPages({ path, mediaType, ...unlimited });
  return { pages: Math.max(1, pages.length), encrypted: false, embedded: [] };
}

/** Reads text documents as one page, spreadsheets by sheet and presentations by slide. */
export async function readOdf(input: TextInput): Promise<TextOutput> {
  const { maxRows = Number.POSITIVE_INFINITY } = input;
  return selectPages(input, await readPages({ ...input, maxRows }));
}

/** One picture. */
const maxPictureBytes = 2 ** 26;

type Limits = ContentFile & Pick<TextInput, 'maxText' | 'pictures'> & { maxRows: number };

function readPages({ path, mediaType, maxText, maxRows, pictures }: Limits): Promise<TextRead> {
  return withZipParts(path, async (parts) => {
    await refuseEncrypted(parts);
    if (!parts.has('content.xml'))
      throw new PermanentError('INVALID_FILE', 'The document has no content.xml');
    const pages = new OdfPages(maxText, maxRows, pictures);
    const hasSheets = /spreadsheet/.test(mediaType);
    const hasSlides = /presentation|graphics/.test(mediaType);
    const markPicture = (name: string) =>
      parts.has(name) && pages.writer.picture(name, () => parts.readAll(name, maxPictureBytes));
    const masters = odfVisitor(pages, { within: 'master-styles', markPicture });
    const styles = await walkXml(parts.read('styles.xml'), masters);
    pages.writer.endLine();
    const body = odfVisitor(pages, { hasSheets, hasSlides, markPicture });
    const content = await walkXml(parts.read('content.xml'), body);
    const objects = await readObjects(parts, pages);
    await pictures?.save();
    return { pages: pages.finish(), truncated: pages.isFull || !styles || !content || !objects };
  });
}

/** Charts, formulas and documents inside the document: `Object 1/content.xml`. */
async function readObjects(parts: ZipParts, pages: OdfPages): Promise<boolean> {
  let complete = true;
  for (const name of parts.names().filter((part) => /^[^/]+\/content\.xml$/.test(part)))
    complete = (await walkXml(parts.read(name), odfVisitor(pages, {}))) && complete;
  return complete;
}

async function refuseEncrypted(parts: ZipParts): Promise<void> {
  let isEncrypted = false;
  await walkXml(parts.read('META-INF/manifest.xml'), {
    open(name) {
      isEncrypted ||= name === 'encryption-data';
    },
    close: () => undefined,
    text: () => undefined,
  }).catch(() => undefined);
  if (isEncrypted)
    throw new PermanentError(
      'PASSWORD_PROTECTED',
      'Encrypted OpenDocument files are not supported. Save a copy without a password.',
    );
}
