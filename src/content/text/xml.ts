import type { TextWriter } from '../office/text-writer.ts';
import { walkXml } from '../xml/walk-xml.ts';
import { Outline } from './outline.ts';

interface Element {
  name: string;
  attributes: string;
  text: string;
  /** Its name was written, as that of a group. */
  isGroup: boolean;
  /** It stands within the text of its parent. */
  isInline: boolean;
}

/**
 * Writes XML as indented lines: the name and the text of each element, with its attributes. Returns
 * false if the document is malformed; what was read up to there is written.
 */
export function writeXml(text: string, writer: TextWriter): Promise<boolean> {
  const outline = new Outline(writer);
  const path: Element[] = [];
  const flush = (element: Element) => {
    outline.line(element.text);
    element.text = '';
  };
  const openGroup = (element: Element) => {
    if (element.isInline) return;
    if (!element.isGroup) outline.open(`${element.name}${element.attributes}:`);
    element.isGroup = true;
  };
  return walkXml(
    chunksOf(text),
    {
      open(name, attributes) {
        const parent = path.at(-1);
        const isInline = parent !== undefined && (parent.isInline || parent.text.trim() !== '');
        if (parent && !isInline) openGroup(parent);
        path.push({
          ...{ name, isInline, text: '', isGroup: false },
          attributes: describe(attributes),
        });
      },
      close() {
        const element = path.pop();
        const parent = path.at(-1);
        if (!element) return;
        if (element.isInline && parent) parent.text += element.text;
        else if (element.isGroup) {
          flush(element);
          outline.close(element.name);
        } else if (element.text.trim() !== '' || element.attributes !== '')
          outline.line(`${element.name}${element.attributes}: ${element.text}`);
      },
      text(more) {
        const element = path.at(-1);
        if (element) element.text += more;
      },
      isDone: () => outline.isFull,
    },
    { doctype: 'ignore' },
  );
}

/** ` (currency EUR)`; namespaces and schema locations mean nothing to a reader. */
function describe(attributes: Readonly<Record<string, string>>): string {
  const shown = Object.entries(attributes)
    .filter(([name, value]) => !/^(xmlns|xsi|xml:space)/.test(name) && value.trim() !== '')
    .map(([name, value]) => `${name.replace(/^.*:/, '')} ${value.trim()}`);
  return shown.length > 0 ? ` (${shown.join(', ')})` : '';
}

const chunkCharacters = 64 * 1024;

async function* chunksOf(text: string) {
  for (let at = 0; at < text.length; at += chunkCharacters)
    yield Buffer.from(text.slice(at, at + chunkCharacters));
}
