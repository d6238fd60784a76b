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
  accepts: ({ signature }) =>
    signature && Object.hasOwn(types, signature) ? signature : undefined,
  inspect: async (input) => (await import('./inspect.ts')).inspectImage(input),
  pages: async (input) => (await import('./load-page.ts')).loadImagePage(input),
};
