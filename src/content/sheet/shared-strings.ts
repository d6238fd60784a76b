import type { ZipParts } from '../ooxml/zip-parts.ts';
import { walkXml } from '../xml/walk-xml.ts';

/** In characters. They are held in memory while the sheets are read. */
const maxCharacters = 100_000_000;

/** The texts of a workbook's cells, which refer to them by position. */
export async function readSharedStrings(
  parts: ZipParts,
  part: string | undefined,
): Promise<{ strings: string[]; complete: boolean }> {
  const strings: string[] = [];
  let current = '';
  let inText = false;
  let phonetic = 0;
  let characters = 0;
  if (part === undefined) return { strings, complete: true };
  const complete = await walkXml(parts.read(part), {
    open(name) {
      if (name === 'si') current = '';
      // Pronunciation of East Asian text, which repeats it.
      if (name === 'rPh') phonetic += 1;
      inText = name === 't' && phonetic === 0;
    },
    close(name) {
      if (name === 'rPh') phonetic -= 1;
      if (name === 'si') strings.push(current);
      inText = false;
    },
    text(text) {
      if (!inText) return;
      current += text;
      characters += text.length;
    },
    isDone: () => characters > maxCharacters,
  });
  return { strings, complete: complete && characters <= maxCharacters };
}
