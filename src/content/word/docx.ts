import { PermanentError } from '../../errors.ts';
import type { TextInput, TextOutput } from '../format.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { writeDrawings } from '../ooxml/drawing.ts';
import { findMainPart } from '../ooxml/main-part.ts';
import { pictureMarker } from '../ooxml/media.ts';
import { ofType, type Relationship, readRelationships } from '../ooxml/relationships.ts';
import { withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { walkXml } from '../xml/walk-xml.ts';
import { wordVisitor } from './word-visitor.ts';

/** Parts that belong to the body, in the order in which they are written around it. */
const before = ['header'];
const after = ['footnotes', 'endnotes', 'footer', 'comments'];

/** Reads a document as one page: headers, body, notes, footers, comments, charts and diagrams. */
export async function readDocx(input: TextInput): Promise<TextOutput> {
  const { path, maxText, pictures, ...range } = input;
  const read = await withZipParts(path, async (parts) => {
    const main = await findMainPart(parts, 'word/document.xml');
    const relationships = await readRelationships(parts, main);
    const writer = new TextWriter(maxText, pictures);
    const around = await writeAround(parts, relationships, before, writer);
    const body = await writePart(parts, main, relationships, writer);
    const shown = await writeDrawings(parts, relationships, writer);
    const rest = await writeAround(parts, relationships, after, writer);
    const glossary = await writeGlossary(parts, relationships, writer);
    await pictures?.save();
    const complete = around && body && shown && rest && glossary;
    if (!complete && writer.length === 0)
      throw new PermanentError(
        'INVALID_FILE',
        'The document is damaged, and no text could be read',
      );
    return { pages: [writer.toString()], truncated: writer.isFull || !complete };
  });
  return selectPages(range, read);
}

/** Sections repeat the same header and footer in many parts: each text is written once. */
async function writeAround(
  parts: ZipParts,
  relationships: readonly Relationship[],
  types: readonly string[],
  writer: TextWriter,
): Promise<boolean> {
  const seen = new Set<string>();
  let complete = true;
  for (const part of types.flatMap((type) => ofType(relationships, type))) {
    const own = writer.part(maxAround);
    const related = await readRelationships(parts, part);
    complete = (await writePart(parts, part, related, own)) && complete;
    complete = (await writeDrawings(parts, related, own)) && complete;
    const text = own.toString();
    if (text.trim() === '' || seen.has(text)) continue;
    seen.add(text);
    writer.endSection();
    writer.line(text);
    writer.endSection();
  }
  return complete;
}

/** In characters. */
const maxAround = 5_000_000;

function writePart(
  parts: ZipParts,
  part: string,
  relationships: readonly Relationship[],
  writer: TextWriter,
): Promise<boolean> {
  const markPicture = pictureMarker(parts, relationships, writer);
  return walkXml(parts.read(part), wordVisitor(writer, markPicture));
}

/** Building blocks: the text of a template that has no other. */
async function writeGlossary(
  parts: ZipParts,
  relationships: readonly Relationship[],
  writer: TextWriter,
): Promise<boolean> {
  const [glossary] = ofType(relationships, 'glossaryDocument');
  if (glossary === undefined || writer.length > 0) return true;
  return writePart(parts, glossary, await readRelationships(parts, glossary), writer);
}
