import { readFile, stat } from 'node:fs/promises';
import { type Metadata, toMetadata } from '../../domain/metadata.ts';
import { capText } from '../../domain/transcription.ts';
import { PermanentError } from '../../errors.ts';
import { printable } from '../../lib/printable.ts';
import type { ContentFile, TextInput, TextOutput } from '../format.ts';
import { detectText } from '../text/detect-text.ts';
import { type ContentLine, parseContentLines } from './content-lines.ts';

const maxBytes = 2 ** 27;

/** What is meant for programs: ids, counters, pictures, time zone rules. */
const unread =
  /^(BEGIN|END|VERSION|PRODID|UID|DTSTAMP|SEQUENCE|REV|PHOTO|LOGO|SOUND|KEY|TZ.*|X-.*)$/;

/** Each field as a line such as `SUMMARY: Lunch`, with a blank line between entries. */
export async function readCards({ path, maxText }: TextInput): Promise<TextOutput> {
  const lines: string[] = [];
  for (const { name, value } of withoutTimeZones(await loadLines(path))) {
    if (name === 'END' && lines.at(-1) !== '') lines.push('');
    if (!unread.test(name) && value.trim() !== '') lines.push(`${name}: ${readable(name, value)}`);
  }
  const text = `${printable(lines.join('\n')).trim()}\n`;
  return capText([{ number: 1, width: 0, height: 0, text, words: [] }], maxText);
}

/** The rules of time zones are meant for programs. */
function withoutTimeZones(lines: readonly ContentLine[]): ContentLine[] {
  let zones = 0;
  return lines.filter(({ name, value }) => {
    const isZone = value.toUpperCase() === 'VTIMEZONE';
    if (isZone) zones += name === 'BEGIN' ? 1 : -1;
    return zones === 0 && !isZone;
  });
}

/** Names and addresses consist of parts; dates are written without separators. */
function readable(name: string, value: string): string {
  if (/^(N|ADR|ORG)$/.test(name)) return value.split(';').filter(Boolean).join(', ');
  return toIso(value) ?? value.replace(/^mailto:/i, '');
}

function toIso(value: string | undefined): string | undefined {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z?))?$/.exec(value ?? '');
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, zone] = found;
  return `${year}-${month}-${day}${hour ? `T${hour}:${minute}:${second}${zone}` : ''}`;
}

export async function readCardsMetadata({ path }: ContentFile): Promise<Metadata> {
  const lines = await loadLines(path);
  const first = (...names: string[]) =>
    lines.find(({ name, value }) => names.includes(name) && value.trim() !== '')?.value;
  const all = (...names: string[]) =>
    lines
      .filter(({ name, value }) => names.includes(name) && value.trim() !== '')
      .map(({ value }) => value.replace(/^(mailto|tel):/i, ''));
  // Time zones have times of their own.
  const events = withoutTimeZones(lines);
  const time = (name: string) => toIso(events.find((line) => line.name === name)?.value);
  return toMetadata({
    title: first('SUMMARY', 'FN', 'X-WR-CALNAME'),
    from: first('ORGANIZER')?.replace(/^mailto:/i, ''),
    to: all('ATTENDEE'),
    starts: time('DTSTART'),
    ends: time('DTEND'),
    location: first('LOCATION'),
    emails: all('EMAIL'),
    phones: all('TEL'),
    company: first('ORG')?.split(';').filter(Boolean).join(', '),
    created: toIso(first('CREATED')),
    modified: toIso(first('LAST-MODIFIED', 'REV')),
    application: first('PRODID'),
    language: first('LANG'),
  });
}

async function loadLines(path: string): Promise<ContentLine[]> {
  const { size } = await stat(path);
  if (size > maxBytes)
    throw new PermanentError(
      'INVALID_FILE',
      `The file has ${size} bytes; the limit is ${maxBytes}`,
    );
  return parseContentLines(await detectText(await readFile(path)));
}
