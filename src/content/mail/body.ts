import type { Address, Email } from 'postal-mime';
import { printable } from '../../lib/printable.ts';
import { htmlText } from '../html/html-text.ts';
import type { MarkSource } from '../html/pictures.ts';
import { listMarks } from '../pictures/mark.ts';
import { asWindows1252 } from '../text/decode-text.ts';
import { mailDate } from './date.ts';

/** The text of a message. Prefers text/plain, unless it is a mere stub next to the HTML part. */
export function readBody(
  { text = '', html = '' }: Pick<Email, 'text' | 'html'>,
  markPicture?: MarkSource,
): string {
  const [plain, fromHtml] = [clean(text), clean(htmlText(html))];
  const isStub = countLetters(fromHtml) > 2 * countLetters(plain);
  if (!markPicture) return isStub ? fromHtml : plain;
  return isStub || plain === ''
    ? clean(htmlText(html, markPicture))
    : withPictures(plain, html, markPicture);
}

/**
 * Puts the pictures of the HTML part into the plain one: where that names them, as Outlook does
 * (`[cid:…]`), the others at its end.
 */
function withPictures(plain: string, html: string, markPicture: MarkSource): string {
  const named = plain.replace(
    /\[(cid:[^\]\s]{1,250})\]/gi,
    (token, source: string) => markPicture(source) || token,
  );
  return [named, ...listMarks(htmlText(html, markPicture))].join('\n');
}

const countLetters = (text: string): number => text.replace(/\s+/g, '').length;

/** Works around Node 20, and thus postal-mime, decoding windows-1252 as Latin-1. */
const clean = (text: string): string => printable(asWindows1252(text)).trim();

export const inOneLine = (text: string): string => clean(text).replace(/\s+/g, ' ');

/** Prepends the usual header lines to the text: From, To, Cc, Date, Subject. */
export function underHeading(
  { from, to = [], cc = [], subject = '', headers }: Email,
  text: string,
): string {
  const date = headers.find(({ key }) => key === 'date')?.value ?? '';
  const heading = headingOf({
    From: from ? formatAddress(from) : '',
    To: to.map(formatAddress).join(', '),
    Cc: cc.map(formatAddress).join(', '),
    Date: mailDate(date) ?? date,
    Subject: subject,
  });
  return `${[heading, text].filter(Boolean).join('\n\n')}\n`;
}

/** One line for each field that has a value. */
export function headingOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => (value ? `${name}: ${inOneLine(value)}` : []))
    .join('\n');
}

export function formatAddress({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(formatAddress).join(', ')};`;
  return name ? `${name} <${address}>` : address;
}
