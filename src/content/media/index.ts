import type { Format } from '../format.ts';
import { onePage } from '../office/pages.ts';

const types = {
  'audio/wav': ['wav'],
  'audio/mpeg': ['mp3'],
  'audio/x-m4a': ['m4a'],
  'audio/mp4': ['m4b'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/flac': ['flac'],
  'audio/aac': ['aac'],
  'audio/amr': ['amr'],
  'audio/aiff': ['aiff'],
  'video/mp4': ['mp4'],
  'video/x-m4v': ['m4v'],
  'video/quicktime': ['mov'],
  'video/ogg': ['ogv'],
  'video/matroska': ['mkv'],
  'video/webm': ['webm'],
  'video/vnd.avi': ['avi'],
  'video/3gpp': ['3gp'],
};

/** Sound and film are kept with their metadata. They have no text, which is reported. */
export const media: Format = {
  title: 'Audio and video',
  types,
  accepts: ({ signature }) => {
    const type = signature?.split(';', 1)[0] ?? '';
    return Object.hasOwn(types, type) ? type : undefined;
  },
  inspect: async () => onePage,
  text: async () => ({
    pages: [{ number: 1, width: 0, height: 0, text: '', words: [] }],
    truncated: false,
    problems: [{ code: 'TEXT_UNAVAILABLE', message: 'Audio and video have no text to read' }],
  }),
  metadata: async (input) => (await import('./metadata.ts')).readMediaMetadata(input),
};
