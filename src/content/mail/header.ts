export interface HeaderField {
  name: string;
  value: string;
}

const field = /^([!-9;-~]+)[ \t]*:(.*)$/;

export function isHeaderField(line: string): boolean {
  return field.test(line);
}

/** Parses header fields from the start of a text, up to the first line that is not a field. */
export function parseHeader(text: string): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of text.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (last && /^[ \t]+\S/.test(line)) {
      last.value += ` ${line.trim()}`;
      continue;
    }
    const [, name, value] = field.exec(line) ?? [];
    if (name === undefined || value === undefined) break;
    fields.push({ name: name.toLowerCase(), value: value.trim() });
  }
  return fields;
}
