import type { Listed } from './protocol.ts';

/**
 * Parses the lines of `7z l -slt -ba`: `Name = value`, an empty line after each entry. Returns the
 * entry that a line completes.
 */
export function listingParser(): (line: string) => Listed | undefined {
  let fields = new Map<string, string>();
  return (line) => {
    const at = line.indexOf(' = ');
    if (at !== -1) {
      fields.set(line.slice(0, at), line.slice(at + 3));
      return undefined;
    }
    if (line.trim() !== '' || !fields.has('Path')) return undefined;
    const entry = toEntry(fields);
    fields = new Map();
    return entry;
  };
}

function toEntry(fields: ReadonlyMap<string, string>): Listed {
  const attributes = fields.get('Attributes') ?? '';
  const link = fields.get('Symbolic Link') || fields.get('Hard Link');
  return {
    path: fields.get('Path') ?? '',
    size: toNumber(fields.get('Size')),
    packed: toNumber(fields.get('Packed Size')),
    isFolder: fields.get('Folder') === '+' || /^D/.test(attributes),
    isEncrypted: fields.get('Encrypted') === '+',
    link: link || (/(^|\s)l[r-]/.test(attributes) ? 'another place' : undefined),
  };
}

function toNumber(text: string | undefined): number | undefined {
  return text ? Number(text) : undefined;
}
