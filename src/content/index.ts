import { PermanentError } from '../errors.ts';
import { testHooks } from '../lib/test-hooks.ts';
import { archive } from './archive/index.ts';
import { type Capability, capabilities, type Format } from './format.ts';
import { image } from './image/index.ts';
import { message } from './mail/index.ts';
import { mailbox } from './mailbox/index.ts';
import { pdf } from './pdf/index.ts';
import { text } from './text/index.ts';

/**
 * The formats, one row per family. The first that accepts a file has it, so those with a signature stand before those
 * that are told by their text. What a stage does with a document, the sandbox's operations, `GET /v1/formats` and the
 * table in docs/formats.md follow from these rows.
 */
export const formats: Readonly<Record<string, Format>> = {
  pdf,
  image,
  archive,
  message,
  mailbox,
  ...(testHooks()?.formats as Record<string, Format> | undefined),
  text,
};

const byType = new Map(
  Object.values(formats).flatMap((format) =>
    Object.keys(format.types).map((type) => [type, format] as const),
  ),
);

export function findFormat(mediaType: string | null): Format | undefined {
  return mediaType === null ? undefined : byType.get(mediaType);
}

/** Runs in the sandbox, where nothing is asked of a format that it cannot do. */
export function requireCapability<Name extends Capability | 'inspect'>(
  mediaType: string,
  capability: Name,
): NonNullable<Format[Name]> {
  const found = findFormat(mediaType)?.[capability];
  if (!found)
    throw new PermanentError('UNSUPPORTED_TYPE', `There is no ${capability} of ${mediaType}`);
  return found;
}

/** A file that holds other files. What is in it becomes documents of their own. */
export function isContainer(mediaType: string | null): boolean {
  return findFormat(mediaType)?.unpack !== undefined;
}

/** Text already: there is nothing to look at. */
export function isText(mediaType: string): boolean {
  const format = findFormat(mediaType);
  return format?.text !== undefined && format.pages === undefined;
}

export interface FormatDescription {
  title: string;
  mediaTypes: string[];
  extensions: string[];
  capabilities: Capability[];
}

/** What is accepted, as people and programs are told. */
export function describeFormats(): FormatDescription[] {
  return Object.values(formats).map((format) => ({
    title: format.title,
    mediaTypes: Object.keys(format.types),
    extensions: Object.values(format.types).flat(),
    capabilities: capabilities.filter((capability) => format[capability] !== undefined),
  }));
}
