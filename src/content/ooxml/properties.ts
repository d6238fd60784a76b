import { type FoundMetadata, type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { walkXml } from '../xml/walk-xml.ts';
import { ofType, readRelationships } from './relationships.ts';
import { withZipParts, type ZipParts } from './zip-parts.ts';

/** Reads docProps/core.xml, app.xml and custom.xml, wherever the package has them. */
export function readOoxmlMetadata({ path }: ContentFile): Promise<Metadata> {
  return withZipParts(path, async (parts) => toMetadata(await readProperties(parts)));
}

export async function readProperties(parts: ZipParts): Promise<FoundMetadata> {
  const related = await readRelationships(parts, '');
  const of = (type: string, usual: string) => readPart(parts, ofType(related, type)[0] ?? usual);
  const core = await of('core-properties', 'docProps/core.xml');
  const app = await of('extended-properties', 'docProps/app.xml');
  const custom = await of('custom-properties', 'docProps/custom.xml');
  const words = numberIn(app.Words);
  return {
    title: core.title,
    author: core.creator,
    lastSavedBy: core.lastModifiedBy,
    subject: core.subject,
    keywords: core.keywords,
    comments: core.description,
    language: core.language,
    created: toIsoDate(core.created),
    modified: toIsoDate(core.modified),
    printed: toIsoDate(core.lastPrinted),
    revision: core.revision,
    company: app.Company,
    template: app.Template,
    application: [app.Application, app.AppVersion].filter(Boolean).join(' '),
    pages: numberIn(app.Pages),
    slides: numberIn(app.Slides),
    words,
    raw: { ...core, ...app, ...custom },
  };
}

/** Leaf elements and their text. Properties in `custom.xml` have their name in an attribute. */
async function readPart(parts: ZipParts, part: string): Promise<Record<string, string>> {
  const found: Record<string, string> = Object.create(null);
  let name = '';
  let custom: string | undefined;
  let text = '';
  await walkXml(parts.read(part), {
    open(element, attributes) {
      if (element === 'property') custom = attributes.name;
      name = element;
      text = '';
    },
    close(element) {
      if (element === name && text.trim() !== '') found[custom ?? name] = text;
      if (element === 'property') custom = undefined;
      text = '';
    },
    text(value) {
      text += value;
    },
  });
  return { ...found };
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}

/** W3CDTF, which may lack seconds. */
export function toIsoDate(text: string | undefined): string | undefined {
  return text?.trim().replace(/(T\d\d:\d\d)(?=$|Z|[+-])/, '$1:00');
}
