import type { TextWriter } from '../office/text-writer.ts';
import { isIndentation } from '../ooxml/drawing-text.ts';
import type { MarkPicture } from '../ooxml/media.ts';
import { Skipper } from '../ooxml/skipper.ts';
import { type Attributes, attribute, type XmlVisitor } from '../xml/walk-xml.ts';

/** Start and end of text that was deleted or moved away while changes were tracked. */
export const deletion = ['[deleted: ', ']'] as const;

/** Text of WordprocessingML: a body, header, footer, note or comment. */
export function wordVisitor(writer: TextWriter, markPicture: MarkPicture): XmlVisitor {
  const skip = new Skipper();
  const path: string[] = [];
  const deleted = new Deletion(writer);
  let capitals = false;
  const open: Record<string, (attributes: Attributes) => void> = {
    tbl: () => writer.openTable(),
    txbxContent: () => writer.endLine(),
    tab: () => {
      // Elsewhere it defines the position of a tab stop.
      if (path.at(-2) === 'r') writer.write('\t');
    },
    ptab: () => writer.write('\t'),
    br: () => writer.write('\n'),
    cr: () => writer.write('\n'),
    noBreakHyphen: () => writer.write('-'),
    sym: (attributes) => writer.write(symbol(attributes)),
    r: () => {
      capitals = false;
    },
    caps: (attributes) => {
      capitals = !/^(0|false|off)$/.test(attribute(attributes, 'val') ?? '');
    },
    del: () => deleted.open(),
    moveFrom: () => deleted.open(),
    textpath: (attributes) => writer.line(attribute(attributes, 'string') ?? ''),
    comment: (attributes) => writeCommentHead(writer, attributes),
    blip: (attributes) => markPicture(attribute(attributes, 'embed')),
    imagedata: (attributes) => markPicture(attribute(attributes, 'id')),
  };
  const close: Record<string, () => void> = {
    p: () => writer.endLine(),
    tc: () => writer.endCell(),
    tr: () => writer.endRow(),
    tbl: () => writer.closeTable(),
    txbxContent: () => writer.endLine(),
    del: () => deleted.close(),
    moveFrom: () => deleted.close(),
  };
  return {
    open(name, attributes) {
      if (skip.enters(name)) return;
      path.push(name);
      open[name]?.(attributes);
    },
    close(name) {
      if (skip.leaves(name)) return;
      close[name]?.();
      path.pop();
    },
    text(text) {
      if (skip.isInside || isIndentation(text)) return;
      const name = path.at(-1);
      if (name === 't' || name === 'delText') deleted.write(capitals ? text.toUpperCase() : text);
    },
    isDone: () => writer.isFull,
  };
}

/** Marks deleted text. A deletion without text, such as that of a paragraph mark, writes nothing. */
class Deletion {
  readonly #writer: TextWriter;
  #depth = 0;
  #marked = false;

  constructor(writer: TextWriter) {
    this.#writer = writer;
  }

  open(): void {
    this.#depth += 1;
  }

  write(text: string): void {
    if (this.#depth > 0 && !this.#marked) {
      this.#writer.write(deletion[0]);
      this.#marked = true;
    }
    this.#writer.write(text);
  }

  close(): void {
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth > 0 || !this.#marked) return;
    this.#writer.write(deletion[1]);
    this.#marked = false;
  }
}

/** Symbol fonts use the private range; their characters mean something only in that font. */
function symbol(attributes: Attributes): string {
  const code = Number.parseInt(attribute(attributes, 'char') ?? '', 16);
  return code >= 0x20 && code < 0xe000 ? String.fromCharCode(code) : '';
}

function writeCommentHead(writer: TextWriter, attributes: Attributes): void {
  const about = [attribute(attributes, 'author'), attribute(attributes, 'date')];
  writer.endLine();
  writer.write(`[comment${about.map((value) => (value ? `, ${value}` : '')).join('')}] `);
}
