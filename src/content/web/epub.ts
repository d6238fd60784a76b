import { posix } from 'node:path';
import { type FoundMetadata, type Metadata, toMetadata } from '../../domain/metadata.ts';
import { PermanentError } from '../../errors.ts';
import { printable } from '../../lib/printable.ts';
import type { ContentFile, Inspection, PictureTaker, TextInput, TextOutput } from '../format.ts';
import { htmlText } from '../html/html-text.ts';
import { embeddedPictures } from '../html/pictures.ts';
import { selectPages } from '../office/pages.ts';
import { withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { type Attributes, attribute, walkXml } from '../xml/walk-xml.ts';
import { decodeHtml } from './html.ts';

const maxPartBytes = 2 ** 26;

interface Book {
  /** Paths of the chapters, in reading order. */
  chapters: string[];
  metadata: FoundMetadata;
}

export function inspectEpub({ path }: ContentFile): Promise<Inspection> {
  return withZipParts(path, async (parts) => {
    const { chapters } = await openBook(parts);
    return { pages: chapters.length, encrypted: false, embedded: [] };
  });
}

/** Each chapter is a page. */
export function readEpub(input: TextInput): Promise<TextOutput> {
  const { path, first, last, maxText, pictures: taken } = input;
  return withZipParts(path, async (parts) => {
    const { chapters } = await openBook(parts);
    const pages: string[] = [];
    let left = maxText;
    for (const chapter of chapters.slice(0, last)) {
      const isWanted = pages.length + 1 >= first && left > 0;
      const text = isWanted ? await readChapter(parts, chapter, taken) : '';
      pages.push(text.slice(0, left));
      left -= text.length;
    }
    await taken?.save();
    return selectPages({ first, last }, { pages, truncated: left < 0 });
  });
}

export function readEpubMetadata({ path }: ContentFile): Promise<Metadata> {
  return withZipParts(path, async (parts) => {
    const { metadata, chapters } = await openBook(parts);
    return toMetadata({ ...metadata, pages: chapters.length });
  });
}

async function readChapter(
  parts: ZipParts,
  name: string,
  pictures: PictureTaker | undefined,
): Promise<string> {
  const html = await decodeHtml(await parts.readAll(name, maxPartBytes));
  const markPicture = embeddedPictures(pictures, (source) => {
    const part = posix.join(posix.dirname(name), decodeUri(source));
    if (!parts.has(part)) return undefined;
    return { name: part, load: () => parts.readAll(part, maxPartBytes) };
  });
  return printable(htmlText(html, markPicture)).trim();
}

async function openBook(parts: ZipParts): Promise<Book> {
  let root = '';
  await visit(parts, 'META-INF/container.xml', (name, attributes) => {
    if (name === 'rootfile' && root === '') root = attribute(attributes, 'full-path') ?? '';
  });
  const items = new Map<string, string>();
  const order: string[] = [];
  const raw: Record<string, string> = {};
  await visit(
    parts,
    root,
    (name, attributes) => {
      const id = attribute(attributes, 'id') ?? '';
      if (name === 'item') items.set(id, attribute(attributes, 'href') ?? '');
      if (name === 'itemref') order.push(attribute(attributes, 'idref') ?? '');
    },
    (name, text) => {
      if (text.trim() !== '' && raw[name] === undefined) raw[name] = text.trim();
    },
  );
  const folder = posix.dirname(root);
  const chapters = order
    .flatMap((id) => items.get(id) ?? [])
    .map((href) => posix.join(folder, decodeUri(href.split('#', 1)[0] ?? '')))
    .filter((name) => parts.has(name));
  if (chapters.length === 0)
    throw new PermanentError('INVALID_FILE', 'The book has no chapters that can be found');
  return { chapters, metadata: toFound(raw) };
}

function toFound(raw: Readonly<Record<string, string>>): FoundMetadata {
  return {
    title: raw.title,
    author: raw.creator,
    company: raw.publisher,
    subject: raw.subject,
    comments: raw.description && htmlText(raw.description),
    language: raw.language,
    created: raw.date,
    raw,
  };
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function visit(
  parts: ZipParts,
  name: string,
  open: (name: string, attributes: Attributes) => void,
  leaf: (name: string, text: string) => void = () => undefined,
): Promise<void> {
  let text = '';
  await walkXml(parts.read(name), {
    open(element, attributes) {
      text = '';
      open(element, attributes);
    },
    close(element) {
      leaf(element, text);
      text = '';
    },
    text(more) {
      text += more;
    },
  });
}
