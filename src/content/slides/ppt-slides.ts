import type { TextWriter } from '../office/text-writer.ts';
import type { Persisted } from './persisted.ts';
import { childrenOf, type Record, walkRecords } from './records.ts';

/** Types of records (MS-PPT) that hold text or lead to it. */
const types = {
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  mainMaster: 0x03f8,
  slideShowSlideInfo: 0x03f9,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  outlineTextRef: 0x0f9e,
  textHeader: 0x0f9f,
  string: 0x0fba,
  slideList: 0x0ff0,
  headersFooters: 0x0fd9,
  placeholder: 0x0bc3,
  comment: 0x2ee0,
  shape: 0xf004,
};
const lists = { slides: 0, masters: 1, notes: 2 };
const hiddenSlide = 0x04;

interface ListedSlide {
  persistId: number;
  slideId: number;
  /** Text of its placeholders, which shapes refer to by position. */
  outline: string[];
}

/** Writers of the slides, in the order in which they are shown. */
export function listSlides(stream: Buffer, persisted: Persisted): ((writer: TextWriter) => void)[] {
  const document = persisted.find(persisted.documentId);
  if (!document) return [];
  const found = new Map<number, ListedSlide[]>();
  for (const list of childrenOf(stream, document))
    if (list.type === types.slideList) found.set(list.instance, readList(stream, list));
  const byId = (kind: number) =>
    new Map(found.get(kind)?.map(({ slideId, persistId }) => [slideId, persistId]));
  const masters = byId(lists.masters);
  const notes = byId(lists.notes);
  const locate = (ids: ReadonlyMap<number, number>, id: number) =>
    persisted.find(ids.get(id) ?? -1);
  return (found.get(lists.slides) ?? []).map(({ persistId, outline }) => (writer) => {
    const slide = persisted.find(persistId);
    if (!slide) return writer.line(outline.join('\n'));
    const { masterId, notesId, isHidden } = readSlideAtom(stream, slide);
    if (isHidden) writer.line('[hidden slide]');
    writeShapes(stream, slide, writer, { outline });
    const master = locate(masters, masterId);
    if (master) writeShapes(stream, master, writer, { ownTextOnly: true });
    const note = locate(notes, notesId);
    if (note) writeNotes(stream, note, writer);
  });
}

function readList(stream: Buffer, list: Record): ListedSlide[] {
  const slides: ListedSlide[] = [];
  for (const record of childrenOf(stream, list)) {
    if (record.type === types.slidePersist && record.end - record.at >= 16)
      slides.push({
        persistId: stream.readUInt32LE(record.at),
        slideId: stream.readUInt32LE(record.at + 12),
        outline: [],
      });
    const outline = slides.at(-1)?.outline;
    if (record.type === types.textHeader) outline?.push('');
    const text = textOf(stream, record);
    if (text !== undefined && outline && outline.length > 0) outline[outline.length - 1] = text;
  }
  return slides;
}

function readSlideAtom(stream: Buffer, slide: Record) {
  let masterId = 0;
  let notesId = 0;
  let isHidden = false;
  for (const { type, at, end } of childrenOf(stream, slide)) {
    if (type === types.slideAtom && end - at >= 20) {
      masterId = stream.readUInt32LE(at + 12);
      notesId = stream.readUInt32LE(at + 16);
    }
    if (type === types.slideShowSlideInfo && end - at >= 11)
      isHidden = (stream.readUInt16LE(at + 10) & hiddenSlide) !== 0;
  }
  return { masterId, notesId, isHidden };
}

interface ShapeOptions {
  outline?: readonly string[];
  /** Leaves out placeholders: in masters they only hold instructions such as "Click to edit". */
  ownTextOnly?: boolean;
}

/** Text of the shapes in a slide, of its header and footer, and of its comments. */
export function writeShapes(
  stream: Buffer,
  container: Pick<Record, 'at' | 'end'>,
  writer: TextWriter,
  { outline = [], ownTextOnly = false }: ShapeOptions = {},
): void {
  let isPlaceholder = false;
  const shown = new Set<number>();
  walkRecords(stream, container, (record) => {
    if (writer.isFull) return false;
    if (record.type === types.shape) isPlaceholder = false;
    if (record.type === types.placeholder) isPlaceholder = ownTextOnly;
    if (record.type === types.comment) writeComment(stream, record, writer);
    if (record.type === types.headersFooters && !ownTextOnly)
      for (const child of childrenOf(stream, record)) writer.line(stringIn(stream, child));
    if (isPlaceholder) return true;
    if (record.type === types.outlineTextRef && record.end - record.at >= 4) {
      const index = stream.readUInt32LE(record.at);
      shown.add(index);
      writer.line(outline[index] ?? '');
    }
    writer.line(textOf(stream, record) ?? '');
    return record.type !== types.comment;
  });
  outline.forEach((text, i) => {
    if (!shown.has(i)) writer.line(text);
  });
}

function writeNotes(stream: Buffer, note: Record, writer: TextWriter): void {
  writer.line('[notes]');
  writeShapes(stream, note, writer);
}

/** Author, text and initials. */
function writeComment(stream: Buffer, comment: Record, writer: TextWriter): void {
  const strings = new Map(
    [...childrenOf(stream, comment)].map((child) => [child.instance, stringIn(stream, child)]),
  );
  writer.line(`[comment, ${strings.get(0) ?? ''}] ${strings.get(1) ?? ''}`);
}

function stringIn(stream: Buffer, { type, at, end }: Record): string {
  return type === types.string ? stream.toString('utf16le', at, end) : '';
}

/** Paragraphs end with CR, lines with VT. */
function textOf(stream: Buffer, { type, at, end }: Record): string | undefined {
  const encoding =
    type === types.textChars ? 'utf16le' : type === types.textBytes ? 'latin1' : undefined;
  return (
    encoding && stream.toString(encoding, at, end).replaceAll('\r', '\n').replaceAll('\v', '\n')
  );
}
