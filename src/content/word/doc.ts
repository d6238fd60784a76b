import { PermanentError } from '../../errors.ts';
import type { TextInput, TextOutput } from '../format.ts';
import { decryptIfNeeded } from '../office/decrypt.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { type CompoundFile, openCompoundFile } from '../ole/compound-file.ts';
import { readFib } from './doc-fib.ts';
import { plainText } from './doc-text.ts';
import { readPieces } from './piece-table.ts';

/** Reads a Word 6 to 2003 document as one page, with notes, headers, comments and text boxes. */
export function readDoc(input: TextInput): Promise<TextOutput> {
  return decryptIfNeeded(input, async ({ path, maxText, ...range }) =>
    selectPages(range, readDocText(await openCompoundFile(path), maxText)),
  );
}

function readDocText(file: CompoundFile, maxText: number) {
  const stream = file.stream('WordDocument');
  if (!stream) throw new PermanentError('INVALID_FILE', 'The document has no text stream');
  const fib = readFib(stream);
  if (fib.isEncrypted)
    throw new PermanentError(
      'PASSWORD_PROTECTED',
      'The document cannot be opened without a password',
    );
  const table = fib.isOld ? stream : (file.stream(fib.tableStream) ?? file.stream(fib.otherTable));
  const { characters, isComplete } = readPieces(stream, table, fib);
  const writer = new TextWriter(maxText);
  let from = 0;
  for (const { name, length } of fib.stories) {
    const story = plainText(characters.slice(from, from + length));
    from += length;
    if (name === 'macros') continue;
    writer.line(name === 'headers' ? onceEach(story) : story);
    writer.endSection();
  }
  return { pages: [writer.toString()], truncated: writer.isFull || !isComplete };
}

/** Each section repeats the same headers and footers. */
function onceEach(text: string): string {
  return [...new Set(text.split('\n').filter((line) => line.trim() !== ''))].join('\n');
}
