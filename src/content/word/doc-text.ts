/** Control characters of Word, and what they are in plain text. */
const replacements: Record<string, string> = {
  '\r': '\n',
  '\u000b': '\n',
  '\f': '\n',
  '\u000e': '\n',
  '\u001e': '-',
  '\u001f': '',
};

const fieldBegin = '\u0013';
const fieldSeparator = '\u0014';
const fieldEnd = '\u0015';
const cellEnd = '\u0007';

/** Text as shown: results of fields instead of their codes, and table rows with tabs. */
export function plainText(characters: string): string {
  const parts: string[] = [];
  /** For each open field: whether its code is being skipped. */
  const fields: boolean[] = [];
  let hidden = 0;
  let last = '';
  for (const character of characters) {
    if (character === fieldBegin) {
      fields.push(true);
      hidden += 1;
    } else if (character === fieldSeparator || character === fieldEnd) {
      if (fields.pop()) hidden -= 1;
      if (character === fieldSeparator) fields.push(false);
    } else if (hidden === 0) {
      // A row ends with a mark of its own after the mark of its last cell.
      if (character === cellEnd) parts.push(last === cellEnd ? '\n' : '\t');
      else parts.push(replacements[character] ?? character);
      last = character === cellEnd && last === cellEnd ? '' : character;
    }
  }
  return parts.join('').replace(/\t\n/g, '\n');
}
