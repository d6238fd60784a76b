/** Rows of a delimited table. Quoted fields may hold delimiters, line ends and doubled quotes. */
export function* parseRows(text: string, delimiter: string): Generator<string[]> {
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = readField(text, at, delimiter);
    row.push(value);
    at = end + 1;
    if (text[end] === delimiter && at < text.length) continue;
    if (text[end] === delimiter) row.push('');
    if (text[end] === '\r' && text[at] === '\n') at += 1;
    yield row;
    row = [];
  }
}

function readField(text: string, start: number, delimiter: string) {
  if (text[start] !== '"') return readPlain(text, start, delimiter);
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    // A quote that is never closed is part of the text.
    if (quote < 0) return readPlain(text, start, delimiter);
    parts.push(text.slice(at, quote));
    at = quote + 1;
    if (text[at] !== '"') break;
    parts.push('"');
    at += 1;
  }
  const rest = readPlain(text, at, delimiter);
  return { value: parts.join('') + rest.value, end: rest.end };
}

function readPlain(text: string, start: number, delimiter: string) {
  let end = start;
  while (end < text.length && !isEnd(text[end], delimiter)) end += 1;
  return { value: text.slice(start, end), end };
}

function isEnd(character: string | undefined, delimiter: string): boolean {
  return character === delimiter || character === '\n' || character === '\r';
}
