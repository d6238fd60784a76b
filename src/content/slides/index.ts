import type { ContentFile, Format } from '../format.ts';
import { recogniseOle } from '../ole/recognise.ts';
import { holdsEmbedded } from '../ooxml/list-embedded.ts';
import { recogniseOoxml } from '../ooxml/recognise.ts';

const types = {
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': [
    'pptx',
    'ppsx',
    'potx',
  ],
  'application/vnd.ms-powerpoint.presentation.macroEnabled.12': ['pptm', 'ppsm', 'potm'],
  'application/vnd.ms-powerpoint': ['ppt', 'pps', 'pot'],
};
const byKind: Record<string, string> = Object.fromEntries(
  Object.entries(types).map(([type, [kind]]) => [kind, type]),
);

export const slides: Format = {
  title: 'Presentation',
  types,
  accepts: async (sample) =>
    byKind[(await recogniseOoxml(sample)) ?? (await recogniseOle(sample)) ?? ''],
  inspect: async (input) =>
    isOle(input)
      ? (await import('./ppt.ts')).inspectPpt(input)
      : (await import('./pptx.ts')).inspectPptx(input),
  text: async (input) =>
    isOle(input)
      ? (await import('./ppt.ts')).readPpt(input)
      : (await import('./pptx.ts')).readPptx(input),
  metadata: async (input) =>
    isOle(input)
      ? (await import('../ole/properties.ts')).readOleMetadata(input)
      : (await import('../ooxml/properties.ts')).readOoxmlMetadata(input),
  // Whether a PPT file has objects shows only when all of it is read.
  holds: async (sample) => (await recogniseOle(sample)) === 'ppt' || holdsEmbedded(sample),
  async *unpack(input) {
    yield* isOle(input)
      ? (await import('./ppt-objects.ts')).unpackPpt(input)
      : (await import('../ooxml/embedded.ts')).unpackOoxml(input);
  },
};

function isOle({ mediaType }: ContentFile): boolean {
  return mediaType === 'application/vnd.ms-powerpoint';
}
