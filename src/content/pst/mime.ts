const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** A header value in any script (RFC 2047). */
export function encodeWord(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  if (isPlain(line)) return line;
  const words = [...line].reduce<string[]>((chunks, letter) => {
    const last = chunks.at(-1);
    if (last === undefined || Buffer.byteLength(last + letter) > 42) chunks.push(letter);
    else chunks[chunks.length - 1] = last + letter;
    return chunks;
  }, []);
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

export interface Mailbox {
  name: string;
  address: string;
}

export function addressLine(mailboxes: readonly Mailbox[]): string {
  return mailboxes
    .flatMap(({ name, address }) => {
      const shown = name && name !== address ? quoted(name) : '';
      if (address) return shown ? `${shown} <${address}>` : address;
      return shown || [];
    })
    .join(', ');
}

function quoted(name: string): string {
  return isPlain(name) ? `"${name.replaceAll(/["\\]/g, '')}"` : encodeWord(name);
}

/** `Fri, 01 May 2026 21:30:00 +0000`. */
export function mimeDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toUTCString().replace('GMT', '+0000');
}
