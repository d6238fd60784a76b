import { basename } from 'node:path';
import { capText } from '../../domain/transcription.ts';
import type { ContentFile, Inspection, TextInput, TextOutput } from '../format.ts';
import { selectPages } from '../office/pages.ts';
import { TextWriter } from '../office/text-writer.ts';
import { loadText } from './load-text.ts';

const xml = 'application/xml';
const json = 'application/json';

/** XML files are also returned as embedded data, for e-invoices. */
export async function inspectText({ path, mediaType }: ContentFile): Promise<Inspection> {
  const { text } = await loadText(path);
  const embedded = mediaType === xml ? [{ name: basename(path), mediaType, text }] : [];
  const pages = isData(mediaType) ? 1 : splitPages(text).length;
  return { pages, encrypted: false, embedded };
}

export async function readText(input: TextInput): Promise<TextOutput> {
  const { path, mediaType, first, last, maxText } = input;
  const { text, isWhole } = await loadText(path);
  if (isData(mediaType)) return readData(text, isWhole, input);
  const pages = splitPages(text).map((page, i) => ({
    number: i + 1,
    width: 0,
    height: 0,
    text: page,
    words: [],
  }));
  const { truncated, pages: kept } = capText(pages.slice(first - 1, last), maxText);
  return { pages: kept, truncated: truncated || !isWhole };
}

function isData(mediaType: string): boolean {
  return mediaType === xml || mediaType === json;
}

/** Form feeds separate pages. */
function splitPages(text: string): string[] {
  return text.replace(/\f$/, '').split('\f');
}

/** Reads data as one page of lines that people can read. */
async function readData(
  text: string,
  isWhole: boolean,
  { mediaType, maxText, ...range }: TextInput,
): Promise<TextOutput> {
  const writer = new TextWriter(maxText);
  const isRead =
    mediaType === json ? await writeAsJson(text, writer) : await writeAsXml(text, writer);
  // Malformed data is shown as it is: nothing of it is lost.
  const page = isRead || writer.isFull ? writer.toString() : text.slice(0, maxText);
  const truncated = !isWhole || writer.isFull || page.length < (isRead ? 0 : text.length);
  return selectPages(range, { pages: [page], truncated });
}

async function writeAsJson(text: string, writer: TextWriter): Promise<boolean> {
  const { writeJson } = await import('./json.ts');
  writeJson(text, writer);
  return true;
}

async function writeAsXml(text: string, writer: TextWriter): Promise<boolean> {
  const { writeXml } = await import('./xml.ts');
  return (await writeXml(text, writer)) && writer.length > 0;
}
