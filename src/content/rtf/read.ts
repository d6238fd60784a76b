import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile, TextInput, TextOutput } from '../format.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { readStart } from '../read-start.ts';
import { HexPicture } from './hex-picture.ts';
import { infoDestinations, type RtfVisitor, walkRtf } from './walk.ts';

/** Pictures in hex make files large; text lies before and after them. */
const maxBytes = 2 ** 28;

/** Reads an RTF document as one page, with headers, notes and comments at their place. */
export async function readRtf(input: TextInput): Promise<TextOutput> {
  const { path, maxText, pictures, ...range } = input;
  const { bytes, isWhole } = await readStart(path, maxBytes);
  const writer = new TextWriter(maxText, pictures);
  writeRtf(bytes, writer);
  const truncated = writer.isFull || !isWhole;
  return selectPages(range, { pages: [writer.toString()], truncated });
}

/** Control words that end a paragraph, a cell or a row. */
const breaks: Record<string, (writer: TextWriter) => void> = {
  par: (writer) => writer.write('\n'),
  sect: (writer) => writer.write('\n'),
  cell: (writer) => writer.endCell(),
  nestcell: (writer) => writer.endCell(),
  row: (writer) => writer.endRow(),
  nestrow: (writer) => writer.endRow(),
};

export function writeRtf(source: Buffer, writer: TextWriter): void {
  let inDeletion = false;
  const mark = (deleted: boolean) => {
    if (deleted === inDeletion) return;
    writer.write(deleted ? '[deleted: ' : ']');
    inDeletion = deleted;
  };
  const picture = new HexPicture(writer);
  const visitor: RtfVisitor = {
    text(text, { destination, deleted }) {
      if (destination === 'pict') return picture.write(text);
      if (destination === 'atnauthor') return writer.write(`[comment, ${text}] `);
      mark(deleted);
      writer.write(text);
    },
    word(name) {
      const write = breaks[name];
      if (!write) return;
      mark(false);
      write(writer);
    },
    closed({ destination }) {
      if (destination === 'pict') picture.end();
      else if (destination !== 'atnauthor') writer.endLine();
    },
    isDone: () => writer.isFull,
  };
  walkRtf(source, visitor, new Set(writer.takesPictures ? ['pict'] : []));
}

const infoFields: ReadonlySet<string> = new Set([...infoDestinations, 'info']);
const dateParts = ['yr', 'mo', 'dy', 'hr', 'min', 'sec'];

export async function readRtfMetadata({ path }: ContentFile): Promise<Metadata> {
  const { bytes } = await readStart(path, maxBytes);
  const texts: Record<string, string> = {};
  const dates: Record<string, Record<string, number>> = {};
  const counts: Record<string, number> = {};
  walkRtf(
    bytes,
    {
      text(text, { destination }) {
        if (infoFields.has(destination)) texts[destination] = (texts[destination] ?? '') + text;
      },
      word(name, value = 0, { destination }) {
        if (dateParts.includes(name)) dates[destination] = { ...dates[destination], [name]: value };
        if (/^(version|nofpages|nofwords)$/.test(name)) counts[name] = value;
      },
      closed: () => undefined,
      isDone: () => false,
    },
    infoFields,
  );
  return toMetadata({
    title: texts.title,
    author: texts.author,
    lastSavedBy: texts.operator,
    subject: texts.subject,
    keywords: texts.keywords,
    comments: texts.doccomm,
    company: texts.company,
    created: toLocalDate(dates.creatim),
    modified: toLocalDate(dates.revtim),
    printed: toLocalDate(dates.printim),
    revision: counts.version === undefined ? undefined : String(counts.version),
    pages: counts.nofpages,
    words: counts.nofwords,
    raw: texts,
  });
}

/** RTF stores no time zone. */
function toLocalDate(parts: Record<string, number> | undefined): string | undefined {
  if (!parts?.yr) return undefined;
  const two = (name: string, or = 0) => String(parts[name] ?? or).padStart(2, '0');
  return `${parts.yr}-${two('mo', 1)}-${two('dy', 1)}T${two('hr')}:${two('min')}:${two('sec')}`;
}
