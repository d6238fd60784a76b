import { PermanentError } from '../errors.ts';
import { testHooks } from '../lib/test-hooks.ts';
import { archive } from './archive/index.ts';
import { cards } from './cards/index.ts';
import { encryptedOffice } from './encrypted/index.ts';
import { type Capability, capabilities, type Format } from './format.ts';
import { image } from './image/index.ts';
import { iwork } from './iwork/index.ts';
import { message } from './mail/index.ts';
import { mailbox } from './mailbox/index.ts';
import { outlookMessage } from './mapi/index.ts';
import { media } from './media/index.ts';
import { odf } from './odf/index.ts';
import { pdf } from './pdf/index.ts';
import { outlookMailbox } from './pst/index.ts';
import { rtf } from './rtf/index.ts';
import { sheet } from './sheet/index.ts';
import { slides } from './slides/index.ts';
import { table } from './table/index.ts';
import { text } from './text/index.ts';
import { web } from './web/index.ts';
import { word } from './word/index.ts';

/**
 * All formats, one row per family. The first one that accepts a file wins, so formats with a
 * signature come before those recognised by their text. Stages, sandbox operations,
 * `GET /v1/formats` and docs/formats.md derive from this table.
 */
export const formats: Readonly<Record<string, Format>> = {
  pdf,
  image,
  outlookMailbox,
  word,
  sheet,
  slides,
  encryptedOffice,
  rtf,
  odf,
  outlookMessage,
  iwork,
  media,
  web,
  cards,
  archive,
  message,
  mailbox,
  ...(testHooks()?.formats as Record<string, Format> | undefined),
  table,
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

/** Runs in the sandbox. Callers check the capability first, so this is not expected to throw. */
export function requireCapability<Name extends Capability | 'inspect'>(
  mediaType: string,
  capability: Name,
): NonNullable<Format[Name]> {
  const found = findFormat(mediaType)?.[capability];
  if (!found)
    throw new PermanentError('UNSUPPORTED_TYPE', `${mediaType} does not support "${capability}"`);
  return found;
}

/** Whether files of this type may hold other files, which become separate documents. */
export function isContainer(mediaType: string | null): boolean {
  return findFormat(mediaType)?.unpack !== undefined;
}

/** Whether files of this type are read: as pages, as text, or both. */
export function isReadable(mediaType: string | null): boolean {
  return findFormat(mediaType)?.inspect !== undefined;
}

/** Whether the type is text only, with no pages to render. */
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

export function describeFormats(): FormatDescription[] {
  return Object.values(formats).map((format) => ({
    title: format.title,
    mediaTypes: Object.keys(format.types),
    extensions: Object.values(format.types).flat(),
    capabilities: capabilities.filter((capability) => format[capability] !== undefined),
  }));
}
