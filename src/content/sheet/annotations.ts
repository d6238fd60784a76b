import type { TextWriter } from '../office/text-writer.ts';
import type { Relationship } from '../ooxml/relationships.ts';
import type { ZipParts } from '../ooxml/zip-parts.ts';
import { attribute, walkXml, type XmlVisitor } from '../xml/walk-xml.ts';
import { inOneLine } from './cells.ts';

/** Writes the comments of a sheet. Excel repeats threaded comments as plain ones for old programs. */
export async function writeComments(
  parts: ZipParts,
  relationships: readonly Relationship[],
  persons: ReadonlyMap<string, string>,
  writer: TextWriter,
): Promise<boolean> {
  const threads = relationships.filter(({ type }) => type === 'threadedComment');
  const plain = relationships.filter(({ type }) => type === 'comments');
  let complete = true;
  for (const { target } of threads.length > 0 ? threads : plain)
    complete = (await walkXml(parts.read(target), commentVisitor(writer, persons))) && complete;
  return complete;
}

function commentVisitor(writer: TextWriter, persons: ReadonlyMap<string, string>): XmlVisitor {
  const authors: string[] = [];
  let head = '';
  let text = '';
  let element = '';
  return {
    open(name, attributes) {
      element = name;
      if (name === 'author') authors.push('');
      if (name !== 'comment' && name !== 'threadedComment') return;
      const author =
        persons.get(attribute(attributes, 'personId') ?? '') ??
        authors[Number(attribute(attributes, 'authorId') ?? -1)];
      head = [attribute(attributes, 'ref'), author].filter(Boolean).join(', ');
      text = '';
    },
    close(name) {
      element = '';
      if (name === 'comment' || name === 'threadedComment')
        writer.line(`[comment ${head}] ${inOneLine(text)}`);
    },
    text(value) {
      if (element === 'author') authors[authors.length - 1] += value;
      if (element === 't' || element === 'text') text += value;
    },
    isDone: () => writer.isFull,
  };
}

/** Names of the authors of threaded comments, by id. */
export async function readPersons(
  parts: ZipParts,
  targets: readonly string[],
): Promise<Map<string, string>> {
  const persons = new Map<string, string>();
  for (const target of targets)
    await walkXml(parts.read(target), {
      open(name, attributes) {
        const id = attribute(attributes, 'id');
        const shown = attribute(attributes, 'displayName');
        if (name === 'person' && id && shown) persons.set(id, shown);
      },
      close: () => undefined,
      text: () => undefined,
    });
  return persons;
}

const headerCodes = /&(?:"[^"]*"|K[0-9A-F]{6}|K\d\d[+-]\d{3}|\d+|[LCRPNDTZFAGBIUESXY+-])/gi;

/** Text of a printed header or footer without its formatting codes. */
export function headerText(code: string): string {
  return code.replace(/&&/g, '\0').replace(headerCodes, ' ').replaceAll('\0', '&').trim();
}
