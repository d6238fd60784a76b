import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermanentError } from '../../errors.ts';
import type { ContentFile } from '../format.ts';
import { withZipParts } from '../ooxml/zip-parts.ts';

const previews = ['QuickLook/Preview.pdf', 'preview.pdf'];
const maxBytes = 2 ** 28;

/** Runs an operation of the PDF engine on the preview that the file contains. */
export async function usePreview<Input extends ContentFile, Output>(
  input: Input,
  use: (input: Input) => Promise<Output>,
): Promise<Output> {
  const bytes = await withZipParts(input.path, async (parts) => {
    const name = previews.find((each) => parts.has(each));
    return name === undefined ? undefined : parts.readAll(name, maxBytes);
  });
  if (!bytes)
    throw new PermanentError(
      'UNSUPPORTED_TYPE',
      'The iWork document has no PDF preview. Export it as PDF from Pages, Numbers or Keynote.',
    );
  const directory = await mkdtemp(join(tmpdir(), 'iwork-'));
  try {
    const path = join(directory, 'preview.pdf');
    await writeFile(path, bytes);
    return await use({ ...input, path, mediaType: 'application/pdf' });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
