import type { Format } from '../format.ts';
import { recogniseOoxml } from '../ooxml/recognise.ts';

const types = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx', 'xltx'],
  'application/vnd.ms-excel.sheet.macroEnabled.12': ['xlsm', 'xltm', 'xlam'],
};
const byKind: Record<string, string> = Object.fromEntries(
  Object.entries(types).map(([type, [kind]]) => [kind, type]),
);

export const sheet: Format = {
  title: 'Spreadsheet',
  types,
  accepts: async (sample) => byKind[(await recogniseOoxml(sample)) ?? ''],
  inspect: async (input) => (await import('./xlsx.ts')).inspectXlsx(input),
  text: async (input) => (await import('./xlsx.ts')).readXlsx(input),
  metadata: async (input) => (await import('./xlsx.ts')).readXlsxMetadata(input),
};
