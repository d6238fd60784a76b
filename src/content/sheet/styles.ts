import type { ZipParts } from '../ooxml/zip-parts.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';

/** The number format of each cell style: a code, or the number of a built-in format. */
export async function readCellFormats(
  parts: ZipParts,
  part: string | undefined,
): Promise<(string | number)[]> {
  const codes = new Map<number, string>();
  const formats: (string | number)[] = [];
  let inCells = false;
  if (part === undefined) return formats;
  await walkXml(parts.read(part), {
    open(name, attributes) {
      const id = Number(attribute(attributes, 'numFmtId') ?? 0);
      if (name === 'numFmt') codes.set(id, attribute(attributes, 'formatCode') ?? '');
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(codes.get(id) ?? id);
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
    text: () => undefined,
  });
  return formats;
}
