import type { Format } from '../format.ts';

const types = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/tiff': ['tif', 'tiff'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
  'image/bmp': ['bmp', 'dib'],
  'image/svg+xml': ['svg'],
  'image/jp2': ['jp2'],
  'image/jpx': ['jpx', 'jpf'],
  'image/j2c': ['j2k', 'j2c'],
};

export const image: Format = {
  title: 'Image',
  types,
  accepts: ({ signature, head, text }) => {
    if (isSvg(text)) return 'image/svg+xml';
    if (signature) return Object.hasOwn(types, signature) ? signature : undefined;
    return isTiff(head) ? 'image/tiff' : undefined;
  },
  inspect: async (input) => (await import('./inspect.ts')).inspectImage(input),
  metadata: async (input) => (await import('./metadata.ts')).readImageMetadata(input),
  pages: async (input) => (await import('./load-page.ts')).loadImagePage(input),
};

/**
 * By the magic number alone. The signature library also reads the directory, which scanners often
 * write behind the pixels, beyond the head.
 */
function isTiff(head: Buffer): boolean {
  const magic = head.toString('latin1', 0, 4);
  return ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(magic);
}

/** The root element, after declarations and comments. */
function isSvg(text: string): boolean {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (!start.startsWith('<')) return false;
  const root = /<(?![?!])([\w:.-]+)/.exec(start.replace(/<!--[\s\S]*?(-->|$)/g, ''))?.[1];
  return root !== undefined && /^(\w+:)?svg$/i.test(root);
}
