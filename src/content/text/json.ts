import type { TextWriter } from '../office/text-writer.ts';
import { Outline } from './outline.ts';

const tokens = /\s+|"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

interface Container {
  isObject: boolean;
  title: string;
}

/**
 * Writes JSON as indented lines, one per value. Reads token by token, so that size and nesting do
 * not matter, and several values in one file (JSON Lines) are no error. From a place that is not
 * JSON on, the text is written as it is.
 */
export function writeJson(source: string, writer: TextWriter): void {
  const outline = new Outline(writer);
  const open: Container[] = [];
  let name: string | undefined;
  const take = (token: string) => {
    const inside = open.at(-1);
    if (token === '{' || token === '[') {
      const isObject = token === '{';
      const isItem = isObject && inside?.isObject === false;
      const title = name === undefined ? (isItem ? '-' : '') : `${name}:`;
      outline.open(title);
      open.push({ isObject, title });
    } else if (token === '}' || token === ']') outline.close(open.pop()?.title ?? '');
    else if (inside?.isObject && name === undefined) {
      name = unquote(token);
      return;
    } else outline.line(`${name === undefined ? '-' : `${name}:`} ${unquote(token)}`);
    name = undefined;
  };
  let at = 0;
  while (at < source.length && !outline.isFull) {
    tokens.lastIndex = at;
    const [token] = tokens.exec(source) ?? [];
    if (token === undefined) break;
    at += token.length;
    if (!/^[\s,:]/.test(token)) take(token);
  }
  writer.line(source.slice(at).trim());
}

function unquote(token: string): string {
  if (!token.startsWith('"')) return token;
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}
