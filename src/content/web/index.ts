import type { ContentFile, Format } from '../format.ts';
import { decodeText } from '../text/decode-text.ts';

const html = 'text/html';
const epub = 'application/epub+zip';

/** Pages for browsers, and books, which consist of such pages. */
export const web: Format = {
  title: 'Web page and e-book',
  types: { [html]: ['html', 'htm', 'xhtml'], [epub]: ['epub'] },
  accepts: ({ signature, head }) => {
    if (signature === epub) return epub;
    return (signature === undefined || signature === 'application/xml') && isHtml(head)
      ? html
      : undefined;
  },
  inspect: async (input) =>
    isBook(input) ? (await import('./epub.ts')).inspectEpub(input) : onePageOfHtml,
  text: async (input) =>
    isBook(input)
      ? (await import('./epub.ts')).readEpub(input)
      : (await import('./html.ts')).readHtml(input),
  metadata: async (input) =>
    isBook(input)
      ? (await import('./epub.ts')).readEpubMetadata(input)
      : (await import('./html.ts')).readHtmlMetadata(input),
  holds: async (sample) =>
    sample.signature === epub && (await import('./epub-images.ts')).holdsImages(sample),
  async *unpack(input) {
    if (isBook(input)) yield* (await import('./epub-images.ts')).unpackEpub(input);
  },
};

const onePageOfHtml = { pages: 1, encrypted: false, embedded: [] };

function isBook({ mediaType }: ContentFile): boolean {
  return mediaType === epub;
}

/** Elements that a page begins with; elements of other kinds of XML have other names. */
const beginning =
  /^<(!doctype\s+(html|netscape)|(html|head|body|title|meta|link|base|script|style|table|div|p|h[1-6]|center|font|br|hr|ul|ol)[\s>/])/i;

function isHtml(head: Buffer): boolean {
  const start = decodeText(head.subarray(0, 8192))
    .replace(/^\ufeff/, '')
    .replace(/^\s*<\?xml[^>]*>/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trimStart();
  return beginning.test(start);
}
