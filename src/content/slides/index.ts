import type { Format } from '../format.ts';
import { recogniseOoxml } from '../ooxml/recognise.ts';

const types = {
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': [
    'pptx',
    'ppsx',
    'potx',
  ],
  'application/vnd.ms-powerpoint.presentation.macroEnabled.12': ['pptm', 'ppsm', 'potm'],
};
const byKind: Record<string, string> = Object.fromEntries(
  Object.entries(types).map(([type, [kind]]) => [kind, type]),
);

export const slides: Format = {
  title: 'Presentation',
  types,
  accepts: async (sample) => byKind[(await recogniseOoxml(sample)) ?? ''],
  inspect: async (input) => (await import('./pptx.ts')).inspectPptx(input),
  text: async (input) => (await import('./pptx.ts')).readPptx(input),
  metadata: async (input) => (await import('../ooxml/properties.ts')).readOoxmlMetadata(input),
};
