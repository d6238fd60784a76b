import { isIndentation } from '../ooxml/drawing-text.ts';
import { type Attributes, attribute, type XmlVisitor } from '../xml/walk-xml.ts';
import type { OdfPages } from './pages.ts';
import { flowSink, sheetSink } from './tables.ts';

/** Elements whose text repeats other text, or is not shown. */
const ignored = new Set(['ruby-text', 'note-citation', 'change-info', 'handout-master', 'scripts']);
/** In masters, fields have sample values such as `<number>`, and notes pages only placeholders. */
const samples = new Set([
  'notes',
  'page-number',
  'page-count',
  'sheet-name',
  'title',
  'date',
  'time',
  'file-name',
]);
const maxSpaces = 1000;

export interface OdfPart {
  /** Tables are sheets. */
  hasSheets?: boolean;
  hasSlides?: boolean;
  /** The element that holds the text: styles only have some in their masters. */
  within?: string;
  /** Marks the place of a picture by the name of its part. */
  markPicture?: (name: string) => void;
}

/** Text of a text document, spreadsheet, presentation or chart. */
export function odfVisitor(pages: OdfPages, part: OdfPart): XmlVisitor {
  const sink = part.hasSheets ? sheetSink(pages) : flowSink(pages);
  const hidden = new Set<string>();
  let style = '';
  let isInside = part.within === undefined;
  let skipped = 0;
  let paragraphs = 0;
  /** Paragraphs around the current comment: its author and date are outside of its own ones. */
  let comment: number | undefined;
  /** Written before the first text of a notes page, if it has any. */
  let notes = '';
  const isHidden = (attributes: Attributes) =>
    hidden.has(attribute(attributes, 'style-name') ?? '');
  const inCommentHead = () => comment !== undefined && comment === paragraphs;
  const openParagraph = () => {
    sink.endLine();
    paragraphs += 1;
  };
  const closeParagraph = () => {
    paragraphs -= 1;
    if (paragraphs === 0) sink.endLine();
  };
  const open: Record<string, (attributes: Attributes) => void> = {
    style: (attributes) => {
      style = attribute(attributes, 'name') ?? '';
    },
    'table-properties': (attributes) => {
      if (attribute(attributes, 'display') === 'false') hidden.add(style);
    },
    'drawing-page-properties': (attributes) => {
      if (attribute(attributes, 'visibility') === 'hidden') hidden.add(style);
    },
    page: (attributes) => {
      if (part.hasSlides && isHidden(attributes)) pages.writer.line('[hidden slide]');
    },
    table: (attributes) => sink.openTable(attributes, isHidden(attributes)),
    'table-row': sink.openRow,
    'table-cell': sink.openCell,
    'covered-table-cell': sink.openCell,
    p: openParagraph,
    h: openParagraph,
    tab: () => sink.write('\t'),
    s: (attributes) => sink.write(spaces(attributes)),
    'line-break': () => sink.write('\n'),
    image: (attributes) => {
      const name = (attribute(attributes, 'href') ?? '').replace(/^\.\//, '');
      // A preview of an object, whose text is read from the object itself.
      if (!name.startsWith('ObjectReplacements/')) part.markPicture?.(name);
    },
    annotation: () => {
      comment = paragraphs;
      sink.write(' [comment');
    },
    creator: () => inCommentHead() && sink.write(', '),
    date: () => inCommentHead() && sink.write(', '),
    'note-body': () => sink.write(' [note: '),
    deletion: () => sink.write('[deleted: '),
    notes: () => {
      notes = '[notes] ';
    },
  };
  const close: Record<string, () => void> = {
    page: () => part.hasSlides && pages.endPage(),
    notes: () => {
      notes = '';
    },
    table: () => sink.closeTable(),
    'table-row': sink.closeRow,
    'table-cell': sink.closeCell,
    'covered-table-cell': sink.closeCell,
    p: closeParagraph,
    h: closeParagraph,
    annotation: () => {
      comment = undefined;
      sink.write('] ');
    },
    'note-body': () => sink.write('] '),
    deletion: () => {
      sink.write(']');
      sink.endLine();
    },
  };
  return {
    open(name, attributes) {
      if (name === part.within) isInside = true;
      const isSample = part.within !== undefined && samples.has(name);
      const isPlaceholder = attribute(attributes, 'placeholder') === 'true';
      if (skipped > 0 || ignored.has(name) || isSample || isPlaceholder) skipped += 1;
      else if (isInside || name === 'style' || name.endsWith('-properties'))
        open[name]?.(attributes);
    },
    close(name) {
      if (skipped > 0) skipped -= 1;
      else if (isInside) close[name]?.();
      if (name === part.within) isInside = false;
    },
    text(text) {
      if (skipped > 0 || !isInside || isIndentation(text)) return;
      if (paragraphs === 0 && !inCommentHead()) return;
      sink.write(notes + text.replace(/\s*\n\s*/g, ' '));
      notes = '';
    },
    isDone: () => pages.isFull,
  };
}

function spaces(attributes: Attributes): string {
  const count = Number(attribute(attributes, 'c') ?? 1) || 1;
  return ' '.repeat(Math.min(Math.max(1, count), maxSpaces));
}
