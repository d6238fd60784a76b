export interface ContentLine {
  /** In upper case, without the group that may precede it. */
  name: string;
  parameters: string;
  value: string;
}

const line = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^:;"]|"[^"]*")*)*):(.*)$/s;

/** Parses iCalendar and vCard (2.1, 3 and 4). Lines of another form are left out. */
export function parseContentLines(text: string): ContentLine[] {
  return unfold(text).flatMap((folded) => {
    const [, name, parameters = '', value = ''] = line.exec(folded) ?? [];
    if (name === undefined) return [];
    return [{ name: name.toUpperCase(), parameters, value: decodeValue(value, parameters) }];
  });
}

/** A line that begins with a space continues the one before; so does one after `=` in vCard 2.1. */
function unfold(text: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const part of text.split(/\r\n|\n|\r/)) {
    const last = lines.at(-1);
    if (last !== undefined && isOpen) lines[lines.length - 1] = last.slice(0, -1) + part;
    else if (last !== undefined && /^[ \t]/.test(part)) lines[lines.length - 1] += part.slice(1);
    else lines.push(part);
    isOpen = part.endsWith('=') && /quoted-printable/i.test(lines.at(-1)?.slice(0, 200) ?? '');
  }
  return lines;
}

function decodeValue(value: string, parameters: string): string {
  const plain = /quoted-printable/i.test(parameters)
    ? decodeQuotedPrintable(value, /charset=["']?([\w-]+)/i.exec(parameters)?.[1])
    : value;
  return plain.replace(/\\([nN,;\\])/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter));
}

function decodeQuotedPrintable(value: string, charset = 'utf-8'): string {
  const bytes = value.replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}
