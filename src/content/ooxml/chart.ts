import type { TextWriter } from '../office/text-writer.ts';
import { formatNumber } from '../sheet/format-number.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';
import { isIndentation } from './drawing-text.ts';
import type { ZipParts } from './zip-parts.ts';

/** Chart groups whose cached values form a row. */
const groups = new Set(['tx', 'cat', 'val', 'xVal', 'yVal', 'bubbleSize', 'strDim', 'numDim']);

/** Titles, series names, categories and values of a chart, as cached in the file. */
export async function writeChart(
  parts: ZipParts,
  part: string,
  writer: TextWriter,
): Promise<boolean> {
  let element = '';
  let row: string[] = [];
  let lastCategories = '';
  let format = '';
  let text = '';
  const endGroup = (name: string) => {
    const line = row.join('\t');
    row = [];
    format = '';
    // Every series repeats the categories.
    if (name === 'cat' && line === lastCategories) return;
    if (name === 'cat') lastCategories = line;
    writer.line(line);
  };
  writer.endLine();
  return walkXml(parts.read(part), {
    open(name, attributes) {
      if (name === 'formatCode') format = '';
      if (name === 'lvl') format = attribute(attributes, 'formatCode') ?? format;
      element = name;
      text = '';
    },
    close(name) {
      if (name === element && name === 'formatCode') format = text;
      // `c:v` in charts since 2007, `cx:pt` in newer kinds.
      if (name === element && (name === 'v' || (name === 'pt' && text.trim() !== '')))
        row.push(formatNumber(text, format));
      if (name === element && name === 't' && !isIndentation(text)) writer.write(text);
      if (name === 'p') writer.endLine();
      if (groups.has(name) && row.length > 0) endGroup(name);
      element = '';
      text = '';
    },
    text(value) {
      text += value;
    },
    isDone: () => writer.isFull,
  });
}
