import { PermanentError } from '../../errors.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { selectPages } from '../office/pages.ts';
import { findMainPart } from '../ooxml/main-part.ts';
import { type Relationship, readRelationships } from '../ooxml/relationships.ts';
import { withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';
import { createSlideReader } from './slide.ts';

export function inspectPptx({ path }: ContentFile): Promise<Inspection> {
  return withZipParts(path, async (parts) => {
    const { slides } = await findSlides(parts);
    return { pages: Math.max(1, slides.length), encrypted: false, embedded: [] };
  });
}

/** Reads a presentation: one page per slide, in the order in which they are shown. */
export async function readPptx(input: TextInput): Promise<TextOutput> {
  const { path, maxText, pictures, ...range } = input;
  const read = await withZipParts(path, async (parts) => {
    const { slides, authors } = await findSlides(parts);
    const readSlide = createSlideReader(parts, authors, pictures);
    const pages: string[] = [];
    let left = maxText;
    let truncated = false;
    for (const [i, slide] of slides.entries()) {
      const isWanted = i + 1 >= range.first && i + 1 <= range.last;
      const page = isWanted ? await readSlide(slide, left) : { text: '', truncated: false };
      pages.push(page.text);
      left -= page.text.length;
      truncated ||= page.truncated;
    }
    await pictures?.save();
    return { pages: pages.length > 0 ? pages : [''], truncated };
  });
  return selectPages(range, read);
}

interface Slides {
  /** Names of their parts, in order. */
  slides: string[];
  /** Names of the authors of comments, by id. */
  authors: ReadonlyMap<string, string>;
}

async function findSlides(parts: ZipParts): Promise<Slides> {
  const main = await findMainPart(parts, 'ppt/presentation.xml');
  const relationships = await readRelationships(parts, main);
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  const complete = await walkXml(parts.read(main), {
    open(name, attributes) {
      if (name !== 'sldId') return;
      const target = targets.get(relationshipId(attributes) ?? '');
      if (target !== undefined && parts.has(target)) slides.push(target);
    },
    close: () => undefined,
    text: () => undefined,
  });
  if (!complete && slides.length === 0)
    throw new PermanentError('INVALID_FILE', 'The presentation lists no slides');
  return { slides, authors: await readAuthors(parts, relationships) };
}

/** `r:id`, which must not be mistaken for the plain `id` of a slide. */
function relationshipId(attributes: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(attributes).find((key) => /:id$/.test(key));
  return name && attributes[name];
}

async function readAuthors(
  parts: ZipParts,
  relationships: readonly Relationship[],
): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const { type, target } of relationships) {
    if (type !== 'commentAuthors' && type !== 'authors') continue;
    await walkXml(parts.read(target), {
      open(_, attributes) {
        const id = attribute(attributes, 'id');
        const name = attribute(attributes, 'name');
        if (id && name) authors.set(id, name);
      },
      close: () => undefined,
      text: () => undefined,
    });
  }
  return authors;
}
