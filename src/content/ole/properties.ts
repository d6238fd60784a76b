import { type FoundMetadata, type Metadata, toMetadata } from '../../domain/metadata.ts';
import type { ContentFile } from '../format.ts';
import { type CompoundFile, openCompoundFile } from './compound-file.ts';
import { type PropertyValue, readPropertySet } from './property-set.ts';

export async function readOleMetadata({ path }: ContentFile): Promise<Metadata> {
  return toMetadata(readProperties(await openCompoundFile(path)));
}

const summaryNames: Record<number, string> = {
  2: 'Title',
  3: 'Subject',
  4: 'Author',
  5: 'Keywords',
  6: 'Comments',
  7: 'Template',
  8: 'LastAuthor',
  9: 'RevisionNumber',
  11: 'LastPrinted',
  12: 'Created',
  13: 'LastSaved',
  14: 'PageCount',
  15: 'WordCount',
  18: 'AppName',
};
const documentNames: Record<number, string> = {
  2: 'Category',
  7: 'SlideCount',
  14: 'Manager',
  15: 'Company',
};

/** The summary information streams of an Office file before 2007, and its custom properties. */
export function readProperties(file: CompoundFile): FoundMetadata {
  const [summary] = setsIn(file, '\u0005SummaryInformation', summaryNames);
  const [document, custom] = setsIn(file, '\u0005DocumentSummaryInformation', documentNames);
  const all = { ...summary, ...document };
  const text = (name: string) => asText(all[name]);
  const number = (name: string) => {
    const value = all[name];
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  return {
    title: text('Title'),
    subject: text('Subject'),
    author: text('Author'),
    keywords: text('Keywords'),
    comments: text('Comments'),
    template: text('Template'),
    lastSavedBy: text('LastAuthor'),
    revision: text('RevisionNumber'),
    printed: text('LastPrinted'),
    created: text('Created'),
    modified: text('LastSaved'),
    application: text('AppName'),
    company: text('Company'),
    pages: number('PageCount'),
    words: number('WordCount'),
    slides: number('SlideCount'),
    raw: Object.fromEntries(
      Object.entries({ ...all, ...custom }).map(([name, value]) => [name, asText(value)]),
    ),
  };
}

function setsIn(
  file: CompoundFile,
  stream: string,
  names: Record<number, string>,
): Record<string, PropertyValue>[] {
  const bytes = file.stream(stream);
  return bytes ? readPropertySet(bytes, names) : [];
}

function asText(value: PropertyValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
