/** Operand of a content stream operator. Strings hold one byte per character. */
export type Operand = number | string | { name: string } | Operand[];

export interface Operation {
  operator: string;
  operands: Operand[];
}

const TOKEN =
  /\((?:\\[\s\S]|[^\\()])*\)|<[0-9a-fA-F\s]*>|\[|\]|\/[^\s[\]()<>/]*|[+-]?(?:\d+\.?\d*|\.\d+)|[A-Za-z'"*]+[0-9]?\*?/g;

export function* operationsIn(content: string): Generator<Operation> {
  let open: Operand[][] = [[]];
  for (const [token] of content.matchAll(TOKEN)) {
    if (token === '[') open.push([]);
    else if (token === ']') open.at(-2)?.push(open.pop() ?? []);
    else if (/^[(<\d+./-]/.test(token)) open.at(-1)?.push(operandOf(token));
    else {
      yield { operator: token, operands: open[0] ?? [] };
      open = [[]];
    }
  }
}

function operandOf(token: string): Operand {
  if (token.startsWith('/')) return { name: token.slice(1) };
  if (token.startsWith('(')) return unescaped(token.slice(1, -1));
  if (token.startsWith('<'))
    return Buffer.from(token.replace(/[^0-9a-fA-F]/g, ''), 'hex').toString('latin1');
  return Number(token);
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' };

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, code: string) =>
    /^[0-7]/.test(code)
      ? String.fromCharCode(Number.parseInt(code, 8) & 0xff)
      : (escapes[code] ?? code),
  );
}
