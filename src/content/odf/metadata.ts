import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { withZipParts, type ZipParts } from '../ooxml/zip-parts.ts';
import { attribute, walkXml } from '../xml/walk-xml.ts';

/** Reads meta.xml. Names of sheets come from the content. */
export function readOdfMetadata({ path, mediaType }: ContentFile): Promise<Metadata> {
  return withZipParts(path, async (parts) => {
    const raw: Record<string, string> = Object.create(null);
    const keywords: string[] = [];
    let element = '';
    let text = '';
    await walkXml(parts.read('meta.xml'), {
      open(name, attributes) {
        element = name === 'user-defined' ? (attribute(attributes, 'name') ?? name) : name;
        text = '';
        if (name !== 'document-statistic') return;
        for (const [key, value] of Object.entries(attributes))
          raw[key.replace(/^\w+:/, '')] = value;
      },
      close(name) {
        if (name === 'keyword') keywords.push(text);
        else if (text.trim() !== '') raw[element] = text;
        text = '';
      },
      text(value) {
        text += value;
      },
    });
    const number = (name: string) => (raw[name] === undefined ? undefined : Number(raw[name]));
    const isPresentation = /presentation/.test(mediaType);
    return toMetadata({
      title: raw.title,
      author: raw['initial-creator'] ?? raw.creator,
      lastSavedBy: raw.creator,
      subject: raw.subject,
      keywords: keywords.join(', '),
      comments: raw.description,
      language: raw.language,
      created: withoutFraction(raw['creation-date']),
      modified: withoutFraction(raw.date),
      printed: withoutFraction(raw['print-date']),
      revision: raw['editing-cycles'],
      application: raw.generator,
      pages: isPresentation ? undefined : number('page-count'),
      slides: isPresentation ? number('page-count') : undefined,
      words: number('word-count'),
      sheets: /spreadsheet/.test(mediaType) ? await readSheetNames(parts) : undefined,
      raw: { ...raw },
    });
  });
}

/** OpenOffice writes nine digits of a second. */
function withoutFraction(date: string | undefined): string | undefined {
  return date?.replace(/(T\d\d:\d\d:\d\d)\.\d+/, '$1');
}

async function readSheetNames(parts: ZipParts): Promise<string[]> {
  const names: string[] = [];
  let depth = 0;
  await walkXml(parts.read('content.xml'), {
    open(name, attributes) {
      if (name !== 'table') return;
      if (depth === 0) names.push(attribute(attributes, 'name') ?? '');
      depth += 1;
    },
    close(name) {
      if (name === 'table') depth -= 1;
    },
    text: () => undefined,
  });
  return names;
}
