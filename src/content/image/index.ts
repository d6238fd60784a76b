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
};

export const image: Format = {
  title: 'Image',
  types,
  accepts: ({ signature, head }) => {
    if (signature) return Object.hasOwn(types, signature) ? signature : undefined;
    return isTiff(head) ? 'image/tiff' : undefined;
  },
  inspect: async (input) => (await import('./inspect.ts')).inspectImage(input),
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
