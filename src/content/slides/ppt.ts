import { PermanentError } from '../../errors.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { decryptIfNeeded } from '../office/decrypt.ts';
import { selectPages, type TextRead } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { type CompoundFile, openCompoundFile } from '../ole/compound-file.ts';
import { readPersisted } from './persisted.ts';
import { listSlides, writeShapes } from './ppt-slides.ts';

export function inspectPpt(file: ContentFile): Promise<Inspection> {
  return decryptIfNeeded(file, async ({ path }) => {
    const { pages } = readPptText(await openCompoundFile(path), Number.POSITIVE_INFINITY);
    return { pages: pages.length, encrypted: false, embedded: [] };
  });
}

/** Reads a PowerPoint 97 to 2003 presentation: one page per slide. */
export function readPpt(input: TextInput): Promise<TextOutput> {
  return decryptIfNeeded(input, async ({ path, maxText, ...range }) =>
    selectPages(range, readPptText(await openCompoundFile(path), maxText)),
  );
}

const encryptedToken = 0xf3d1c4df;

function readPptText(file: CompoundFile, maxText: number): TextRead {
  const stream = file.stream('PowerPoint Document');
  if (!stream) throw new PermanentError('INVALID_FILE', 'The presentation has no slides');
  const currentUser = file.stream('Current User') ?? Buffer.alloc(0);
  if (currentUser.length >= 16 && currentUser.readUInt32LE(12) === encryptedToken)
    throw new PermanentError(
      'PASSWORD_PROTECTED',
      'The presentation cannot be opened without a password',
    );
  const persisted = readPersisted(stream, currentUser);
  const slides = persisted ? listSlides(stream, persisted) : [];
  if (slides.length === 0) return readAllText(stream, maxText);
  let left = maxText;
  let truncated = false;
  const pages = slides.map((write) => {
    const writer = new TextWriter(left);
    write(writer);
    left -= writer.length;
    truncated ||= writer.isFull;
    return writer.toString();
  });
  return { pages, truncated };
}

/** Without a usable directory, all text is taken in the order in which it is stored. */
function readAllText(stream: Buffer, maxText: number): TextRead {
  const writer = new TextWriter(maxText);
  writeShapes(stream, { at: 0, end: stream.length }, writer);
  return { pages: [writer.toString()], truncated: writer.isFull };
}
