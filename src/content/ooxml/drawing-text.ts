import type { TextWriter } from '../office/text-writer.ts';
import { type Attributes, attribute, type XmlVisitor } from '../xml/walk-xml.ts';
import type { MarkPicture } from './media.ts';
import { Skipper } from './skipper.ts';

export interface DrawingOptions {
  /** Leaves out placeholders: in masters they only hold instructions such as "Click to edit". */
  ownTextOnly?: boolean;
  markPicture?: MarkPicture;
}

/** Text of DrawingML: shapes, tables and diagrams. */
export function drawingVisitor(writer: TextWriter, options: DrawingOptions = {}): XmlVisitor {
  const skip = new Skipper();
  let inText = 0;
  /** Text of the current shape, held back until it is known not to be a placeholder. */
  let isPlaceholder = false;
  const open: Record<string, (attributes: Attributes) => void> = {
    t: () => {
      inText += 1;
    },
    br: () => writer.write('\n'),
    tab: () => writer.write('\t'),
    tbl: () => writer.openTable(),
    sp: () => {
      isPlaceholder = false;
    },
    ph: () => {
      isPlaceholder = options.ownTextOnly === true;
    },
    textpath: (attributes) => writer.line(attribute(attributes, 'string') ?? ''),
    blip: (attributes) => options.markPicture?.(attribute(attributes, 'embed')),
  };
  const close: Record<string, () => void> = {
    t: () => {
      inText -= 1;
    },
    p: () => writer.endLine(),
    tc: () => writer.endCell(),
    tr: () => writer.endRow(),
    tbl: () => writer.closeTable(),
    sp: () => {
      isPlaceholder = false;
    },
  };
  return {
    open(name, attributes) {
      if (!skip.enters(name)) open[name]?.(attributes);
    },
    close(name) {
      if (!skip.leaves(name)) close[name]?.();
    },
    text(text) {
      if (inText > 0 && !skip.isInside && !isPlaceholder && !isIndentation(text))
        writer.write(text);
    },
    isDone: () => writer.isFull,
  };
}

/** White space between tags of a formatted file. */
export function isIndentation(text: string): boolean {
  return text.includes('\n') && text.trim() === '';
}
