import { open } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import { capText } from '../../domain/transcription.ts';
import { printable } from '../../lib/printable.ts';
import type { ContentFile, TextInput, TextOutput } from '../format.ts';
import { htmlText } from '../html/html-text.ts';
import { embeddedPictures } from '../html/pictures.ts';
import { tagAttribute } from '../html/tag-attribute.ts';
import { detectText } from '../text/detect-text.ts';

/** Covers the maximum text length in any encoding, with markup. */
const maxBytes = 100_000_000;

/** Reads a page as a browser shows it: no scripts, no styles. */
export async function readHtml({ path, maxText, pictures }: TextInput): Promise<TextOutput> {
  const { html, isWhole } = await loadHtml(path);
  const text = `${printable(htmlText(html, embeddedPictures(pictures))).trim()}\n`;
  const { pages, truncated } = capText(
    [{ number: 1, width: 0, height: 0, text, words: [] }],
    maxText,
  );
  return { pages, truncated: truncated || !isWhole };
}

export async function readHtmlMetadata({ path }: ContentFile): Promise<Metadata> {
  const { html } = await loadHtml(path);
  return toMetadata(describeHtml(html));
}

const headCharacters = 100_000;

/** Title, language and what `meta` elements say. */
export function describeHtml(html: string) {
  const head = html.slice(0, headCharacters);
  const raw: Record<string, string> = {};
  for (const [tag] of head.matchAll(/<meta\s[^>]{1,2000}>/gi)) {
    const name = tagAttribute(tag, 'name') ?? tagAttribute(tag, 'property');
    const content = tagAttribute(tag, 'content');
    if (name !== undefined && content !== undefined) raw[name.toLowerCase()] = content;
  }
  const [, title] = /<title[^>]{0,200}>([^<]{0,2000})/i.exec(head) ?? [];
  const [root = ''] = /<html[^>]{0,1000}>/i.exec(head) ?? [];
  return {
    title: title === undefined ? raw['og:title'] : htmlText(title).replace(/\s+/g, ' '),
    author: raw.author,
    keywords: raw.keywords,
    comments: raw.description,
    application: raw.generator,
    language: tagAttribute(root, 'xml:lang') ?? tagAttribute(root, 'lang'),
    created: raw['article:published_time'] ?? raw['dcterms.created'] ?? raw.date,
    modified: raw['article:modified_time'] ?? raw['dcterms.modified'],
    raw,
  };
}

/** By its mark, else as the page says, else as text of unknown encoding. */
export async function decodeHtml(bytes: Buffer): Promise<string> {
  const start = bytes.toString('latin1', 0, 2048);
  const isMarked = /^(\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(start);
  const charset = /(?:charset|encoding)\s*=\s*["']?([\w:.-]{2,40})/i.exec(start)?.[1];
  const isStated = charset !== undefined && !/^utf-?(8|16)/i.test(charset);
  return !isMarked && isStated && iconv.encodingExists(charset)
    ? iconv.decode(bytes, charset)
    : detectText(bytes);
}

async function loadHtml(path: string): Promise<{ html: string; isWhole: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return { html: await decodeHtml(buffer.subarray(0, bytesRead)), isWhole: size <= maxBytes };
  } finally {
    await file.close();
  }
}
