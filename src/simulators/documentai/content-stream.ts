import { type Operand, operationsIn } from './operands.ts';

/** A piece of text with the start of its baseline, in points from the bottom left. */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  size: number;
}

/** Decodes the bytes of a string in a font. */
export type Decode = (font: string, bytes: string) => string;

/** Text shown by a content stream, in drawing order. */
export function readTextRuns(content: string, decode: Decode): TextRun[] {
  const pen: Pen = { x: 0, y: 0, leading: 0, size: 12, font: '', decode, runs: [] };
  for (const { operator, operands } of operationsIn(content)) operators[operator]?.(pen, operands);
  return pen.runs;
}

interface Pen {
  x: number;
  y: number;
  leading: number;
  size: number;
  font: string;
  decode: Decode;
  runs: TextRun[];
}
type Operator = (pen: Pen, operands: Operand[]) => void;

/** TJ adjustments below this, in thousandths of the font size, count as word gaps. */
const WORD_GAP = -180;

const move: Operator = (pen, operands) => {
  pen.x += numberAt(operands, 0);
  pen.y += numberAt(operands, 1);
};
const nextLine: Operator = (pen) => {
  pen.y -= pen.leading;
};
const show: Operator = ({ x, y, size, font, decode, runs }, operands) => {
  const text = operands
    .flat(2)
    .map((part) =>
      typeof part === 'string' ? decode(font, part) : Number(part) < WORD_GAP ? ' ' : '',
    )
    .join('');
  if (text.trim()) runs.push({ text, x, y, size });
};

const operators: Record<string, Operator> = {
  BT: (pen) => Object.assign(pen, { x: 0, y: 0 }),
  Tf: (pen, operands) =>
    Object.assign(pen, { font: nameAt(operands, 0), size: numberAt(operands, 1) }),
  TL: (pen, operands) => Object.assign(pen, { leading: numberAt(operands, 0) }),
  Tm: (pen, operands) => Object.assign(pen, { x: numberAt(operands, 4), y: numberAt(operands, 5) }),
  Td: move,
  TD: (pen, operands) => {
    pen.leading = -numberAt(operands, 1);
    move(pen, operands);
  },
  'T*': nextLine,
  Tj: show,
  TJ: show,
  "'": (pen, operands) => {
    nextLine(pen, operands);
    show(pen, operands);
  },
};

function numberAt(operands: Operand[], index: number): number {
  const operand = operands[index];
  return typeof operand === 'number' ? operand : 0;
}

function nameAt(operands: Operand[], index: number): string {
  const operand = operands[index];
  return typeof operand === 'object' && 'name' in operand ? operand.name : '';
}
