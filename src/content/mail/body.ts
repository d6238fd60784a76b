import type { Address, Email } from 'postal-mime';
import { printable } from '../../lib/printable.ts';
import { htmlText } from '../html/html-text.ts';
import { asWindows1252 } from '../text/decode-text.ts';
import { mailDate } from './date.ts';

/** What a message says. Plain text is as its sender wrote it, unless it only points to the HTML. */
export function readBody({ text = '', html = '' }: Email): string {
  const [plain, shown] = [clean(text), clean(htmlText(html))];
  return lettersOf(shown) > 2 * lettersOf(plain) ? shown : plain;
}

const lettersOf = (text: string): number => text.replace(/\s+/g, '').length;

/** Node 20 decodes windows-1252 as if it were Latin-1, and the parser with it. */
const clean = (text: string): string => printable(asWindows1252(text)).trim();

export const inOneLine = (text: string): string => clean(text).replace(/\s+/g, ' ');

/** The text under the lines people know a message by. */
export function underHeading(
  { from, to = [], cc = [], subject = '', headers }: Email,
  text: string,
): string {
  const date = headers.find(({ key }) => key === 'date')?.value ?? '';
  const fields = {
    From: from ? shownAs(from) : '',
    To: to.map(shownAs).join(', '),
    Cc: cc.map(shownAs).join(', '),
    Date: mailDate(date) ?? date,
    Subject: subject,
  };
  const heading = Object.entries(fields).flatMap(([name, value]) =>
    value ? `${name}: ${inOneLine(value)}` : [],
  );
  return `${heading.join('\n')}\n\n${text}\n`;
}

function shownAs({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(shownAs).join(', ')};`;
  return name ? `${name} <${address}>` : address;
}
