import type { ContentFile, Format, Sample } from '../format.ts';
import { holdsObjects } from '../ole/holds-objects.ts';
import { recogniseOle } from '../ole/recognise.ts';
import { holdsEmbedded } from '../ooxml/list-embedded.ts';
import { recogniseOoxml } from '../ooxml/recognise.ts';

const binary = {
  'application/vnd.ms-excel.sheet.binary.macroEnabled.12': ['xlsb'],
  'application/vnd.ms-excel': ['xls', 'xlt', 'xla'],
};
const types = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx', 'xltx'],
  'application/vnd.ms-excel.sheet.macroEnabled.12': ['xlsm', 'xltm', 'xlam'],
  ...binary,
};
const byKind: Record<string, string> = Object.fromEntries(
  Object.entries(types).map(([type, [kind]]) => [kind, type]),
);

export const sheet: Format = {
  title: 'Spreadsheet',
  types,
  accepts: async (sample) =>
    isExcel4(sample)
      ? byKind.xls
      : byKind[(await recogniseOoxml(sample)) ?? (await recogniseOle(sample)) ?? ''],
  inspect: async (input) =>
    isBinary(input)
      ? (await import('./binary.ts')).inspectBinary(input)
      : (await import('./xlsx.ts')).inspectXlsx(input),
  text: async (input) =>
    isBinary(input)
      ? (await import('./binary.ts')).readBinary(input)
      : (await import('./xlsx.ts')).readXlsx(input),
  metadata: async (input) =>
    isBinary(input)
      ? (await import('./binary.ts')).readBinaryMetadata(input)
      : (await import('./xlsx.ts')).readXlsxMetadata(input),
  holds: async (sample) =>
    (await recogniseOle(sample)) === 'xls' ? holdsObjects(sample) : holdsEmbedded(sample),
  async *unpack(input) {
    yield* input.mediaType === byKind.xls
      ? (await import('../ole/embedded.ts')).unpackOle(input)
      : (await import('../ooxml/embedded.ts')).unpackOoxml(input);
  },
};

function isBinary({ mediaType }: ContentFile): boolean {
  return Object.hasOwn(binary, mediaType);
}

/** Excel 2 to 4 write no compound file, but records from the first byte on: a BOF of a sheet. */
function isExcel4({ head }: Sample): boolean {
  return /^09(0004000[0-9a-f]00|0[24]060000..)(10|20|40)00/.test(head.toString('hex', 0, 8));
}
