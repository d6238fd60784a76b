import type { ContentFile, Format } from '../format.ts';
import { onePage } from '../office/pages.ts';
import { holdsObjects } from '../ole/holds-objects.ts';
import { recogniseOle } from '../ole/recognise.ts';
import { holdsEmbedded } from '../ooxml/list-embedded.ts';
import { recogniseOoxml } from '../ooxml/recognise.ts';

const types = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.ms-word.document.macroEnabled.12': ['docm'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': ['dotx'],
  'application/vnd.ms-word.template.macroEnabled.12': ['dotm'],
  'application/msword': ['doc', 'dot'],
};
const byKind: Record<string, string> = Object.fromEntries(
  Object.entries(types).map(([type, [kind]]) => [kind, type]),
);

export const word: Format = {
  title: 'Word document',
  types,
  accepts: async (sample) =>
    byKind[(await recogniseOoxml(sample)) ?? (await recogniseOle(sample)) ?? ''],
  inspect: async () => onePage,
  text: async (input) =>
    isOle(input)
      ? (await import('./doc.ts')).readDoc(input)
      : (await import('./docx.ts')).readDocx(input),
  metadata: async (input) =>
    isOle(input)
      ? (await import('../ole/properties.ts')).readOleMetadata(input)
      : (await import('../ooxml/properties.ts')).readOoxmlMetadata(input),
  holds: async (sample) =>
    (await recogniseOle(sample)) === 'doc' ? holdsObjects(sample) : holdsEmbedded(sample),
  async *unpack(input) {
    yield* isOle(input)
      ? (await import('../ole/embedded.ts')).unpackOle(input)
      : (await import('../ooxml/embedded.ts')).unpackOoxml(input);
  },
};

function isOle({ mediaType }: ContentFile): boolean {
  return mediaType === 'application/msword';
}
