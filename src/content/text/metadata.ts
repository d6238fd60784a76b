import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { loadText } from './load-text.ts';

/** What Markdown says about itself: the fields before its text, else its first heading. */
export async function readTextMetadata({ path, mediaType }: ContentFile): Promise<Metadata> {
  if (mediaType !== 'text/markdown') return {};
  const { text } = await loadText(path);
  const [, block = ''] = /^---\n([\s\S]{0,10000}?)\n---(?:\n|$)/.exec(text) ?? [];
  const raw = Object.fromEntries(
    [...block.matchAll(/^([A-Za-z][\w-]{0,60}):[ \t]*(\S.*)$/gm)].map(([, name = '', value]) => [
      name.toLowerCase(),
      value?.replace(/^(["'])(.*)\1$/, '$2'),
    ]),
  );
  const heading = /^#{1,6}[ \t]+(.{1,500}?)[ \t#]*$/m.exec(text)?.[1];
  return toMetadata({
    title: raw.title ?? heading,
    author: raw.author,
    created: raw.date,
    language: raw.lang ?? raw.language,
    keywords: raw.tags ?? raw.keywords,
    raw,
  });
}
