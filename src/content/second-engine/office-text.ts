import { capText } from '../../domain/transcription.ts';
import { PermanentError } from '../../errors.ts';
import type { ContentFile, InspectInput, Inspection, TextInput, TextOutput } from '../format.ts';
import { HostileError } from '../hostile-error.ts';
import { requireCapability } from '../index.ts';
import { onePage, selectPages } from '../office/pages.ts';

/** Inspects a file. An Office document that is damaged has the pages that LibreOffice finds. */
export async function inspectFile(input: InspectInput): Promise<Inspection> {
  try {
    return await requireCapability(input.mediaType, 'inspect')(input);
  } catch (error) {
    const pages = isDamage(error) ? await readAgain(input) : undefined;
    if (!pages) throw error;
    return { ...onePage, pages: pages.length };
  }
}

/**
 * Reads the text of a file. Where the own walk of an Office document fails or finds nothing,
 * LibreOffice is asked, and named as the engine if it has an answer.
 */
export async function readText(input: TextInput): Promise<TextOutput> {
  const [first, failure] = await readOnce(input);
  if (first && !isBlank(first)) return first;
  const pages = await readAgain(input);
  if (!pages) {
    if (first) return first;
    throw failure;
  }
  const output = selectPages(input, { pages: covering(input, pages), truncated: false });
  const { pages: kept, truncated } = capText(output.pages, input.maxText);
  return { pages: kept, truncated, engine: 'libreoffice' };
}

async function readOnce(input: TextInput): Promise<[TextOutput | undefined, unknown]> {
  try {
    return [await requireCapability(input.mediaType, 'text')(input), undefined];
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [undefined, error];
  }
}

async function readAgain(file: ContentFile): Promise<string[] | undefined> {
  return (await import('./libreoffice.ts')).readWithLibreOffice(file);
}

/** The own walk has counted the pages: what the second engine has beyond them is not lost. */
function covering({ last }: TextInput, pages: string[]): string[] {
  return pages.length <= last
    ? pages
    : [...pages.slice(0, last - 1), pages.slice(last - 1).join('\f')];
}

/** An encrypted, unsupported or hostile document is not damaged. */
function isDamage(error: unknown): boolean {
  if (error instanceof HostileError) return false;
  return error instanceof PermanentError && error.code === 'INVALID_FILE';
}

function isBlank({ pages }: TextOutput): boolean {
  return pages.every(({ text }) => text.trim() === '');
}
