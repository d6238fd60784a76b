import type { PictureTaker } from '../format.ts';
import { TextWriter } from '../office/text-writer.ts';
import { writeDrawings } from '../ooxml/drawing.ts';
import { drawingVisitor } from '../ooxml/drawing-text.ts';
import { pictureMarker } from '../ooxml/media.ts';
import { ofType, type Relationship, readRelationships } from '../ooxml/relationships.ts';
import type { ZipParts } from '../ooxml/zip-parts.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';

interface Slide {
  text: string;
  truncated: boolean;
}

/** In characters: text of a layout or master that is shown on every slide. */
const maxBackground = 100_000;

/** Reads slides: what each shows, including its layout and master, then notes and comments. */
export function createSlideReader(
  parts: ZipParts,
  authors: ReadonlyMap<string, string>,
  pictures: PictureTaker | undefined,
) {
  const backgrounds = new Map<string, Promise<string>>();
  const background = (part: string) => {
    const text = backgrounds.get(part) ?? readBackground(parts, part, pictures);
    backgrounds.set(part, text);
    return text;
  };
  return async (part: string, maxText: number): Promise<Slide> => {
    const writer = new TextWriter(maxText, pictures);
    const relationships = await readRelationships(parts, part);
    const markPicture = pictureMarker(parts, relationships, writer);
    const visitor = drawingVisitor(writer, { markPicture });
    const own = await walkXml(parts.read(part), {
      ...visitor,
      open(name, attributes) {
        if (name === 'sld' && attribute(attributes, 'show') === '0') writer.line('[hidden slide]');
        visitor.open(name, attributes);
      },
    });
    const drawn = await writeDrawings(parts, relationships, writer);
    for (const layout of ofType(relationships, 'slideLayout'))
      writer.line(await background(layout));
    const noted = await writeNotes(parts, relationships, writer);
    const commented = await writeComments(parts, relationships, authors, writer);
    const complete = own && drawn && noted && commented;
    return { text: writer.toString(), truncated: writer.isFull || !complete };
  };
}

/** Text that a layout and its master show themselves, outside of placeholders. */
async function readBackground(
  parts: ZipParts,
  layout: string,
  pictures: PictureTaker | undefined,
): Promise<string> {
  const writer = new TextWriter(maxBackground, pictures);
  const masters = ofType(await readRelationships(parts, layout), 'slideMaster');
  for (const part of [layout, ...masters]) {
    const markPicture = pictureMarker(parts, await readRelationships(parts, part), writer);
    await walkXml(parts.read(part), drawingVisitor(writer, { ownTextOnly: true, markPicture }));
  }
  return writer.toString();
}

async function writeNotes(
  parts: ZipParts,
  relationships: readonly Relationship[],
  writer: TextWriter,
): Promise<boolean> {
  let complete = true;
  for (const part of ofType(relationships, 'notesSlide')) {
    const notes = writer.part(maxBackground * 10);
    complete = (await walkXml(parts.read(part), drawingVisitor(notes))) && complete;
    const text = notes.toString();
    if (text.trim() !== '') writer.line(`[notes] ${text}`);
  }
  return complete;
}

async function writeComments(
  parts: ZipParts,
  relationships: readonly Relationship[],
  authors: ReadonlyMap<string, string>,
  writer: TextWriter,
): Promise<boolean> {
  let complete = true;
  for (const part of ofType(relationships, 'comments')) {
    const drawing = drawingVisitor(writer);
    let inText = false;
    complete =
      (await walkXml(parts.read(part), {
        ...drawing,
        open(name, attributes) {
          // `cm` until 2019, and since then a thread of `cm` and `reply` with rich text.
          if (name === 'cm' || name === 'reply') {
            const author = authors.get(attribute(attributes, 'authorId') ?? '');
            writer.endLine();
            writer.write(author ? `[comment, ${author}] ` : '[comment] ');
          }
          inText = name === 'text';
          drawing.open(name, attributes);
        },
        close(name) {
          if (name === 'text') writer.endLine();
          inText = false;
          drawing.close(name);
        },
        text(text) {
          if (inText) writer.write(text);
          else drawing.text(text);
        },
      })) && complete;
  }
  return complete;
}
