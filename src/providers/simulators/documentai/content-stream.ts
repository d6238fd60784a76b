/** A piece of text and where on the page its baseline starts, in PDF units from the bottom left. */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  size: number;
}

type Operand = number | string | Operand[];

interface Pen {
  x: number;
  y: number;
  leading: number;
  size: number;
}

const TOKEN =
  /\((?:\\[\s\S]|[^\\()])*\)|<[0-9a-fA-F\s]*>|\[|\]|\/[^\s[\]()<>/]*|[+-]?(?:\d+\.?\d*|\.\d+)|[A-Za-z'"*]+[0-9]?\*?/g;
const windows1252 = new TextDecoder('windows-1252');

/** The text a page's content stream shows, for simply encoded fonts, in drawing order. */
export function readTextRuns(content: string): TextRun[] {
  const runs: TextRun[] = [];
  const pen: Pen = { x: 0, y: 0, leading: 0, size: 12 };
  const open: Operand[][] = [[]];
  for (const [token] of content.matchAll(TOKEN)) {
    const operands = open.at(-1) ?? [];
    if (token === '[') open.push([]);
    else if (token === ']') open.at(-2)?.push(open.pop() ?? []);
    else if (isOperand(token)) operands.push(operandOf(token));
    else {
      operators[token]?.(pen, operands, runs);
      open.splice(0, open.length, []);
    }
  }
  return runs;
}

type Operator = (pen: Pen, operands: Operand[], runs: TextRun[]) => void;

const move: Operator = (pen, operands) => {
  pen.x += numberAt(operands, 0);
  pen.y += numberAt(operands, 1);
};
const nextLine: Operator = (pen) => {
  pen.y -= pen.leading;
};
const show: Operator = ({ x, y, size }, operands, runs) => {
  const text = operands
    .flat(2)
    .filter((operand) => typeof operand === 'string')
    .join('');
  if (text) runs.push({ text, x, y, size });
};

const operators: Record<string, Operator> = {
  BT: (pen) => Object.assign(pen, { x: 0, y: 0 }),
  Tf: (pen, operands) => Object.assign(pen, { size: numberAt(operands, -1) }),
  TL: (pen, operands) => Object.assign(pen, { leading: numberAt(operands, 0) }),
  Tm: (pen, operands) => Object.assign(pen, { x: numberAt(operands, 4), y: numberAt(operands, 5) }),
  Td: move,
  TD: (pen, operands, runs) => {
    pen.leading = -numberAt(operands, 1);
    move(pen, operands, runs);
  },
  'T*': nextLine,
  Tj: show,
  TJ: show,
  "'": (pen, operands, runs) => {
    nextLine(pen, operands, runs);
    show(pen, operands, runs);
  },
};

function isOperand(token: string): boolean {
  return /^[(<\d+.-]/.test(token) || token.startsWith('/');
}

function operandOf(token: string): Operand {
  if (token.startsWith('(')) return unescaped(token.slice(1, -1));
  if (token.startsWith('<')) return windows1252.decode(Buffer.from(token.replace(/[^0-9a-fA-F]/g, ''), 'hex'));
  return token.startsWith('/') ? [] : Number(token);
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' };

function numberAt(operands: Operand[], index: number): number {
  const operand = operands.at(index);
  return typeof operand === 'number' ? operand : 0;
}
