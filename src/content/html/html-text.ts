import { Sheet } from './sheet.ts';

/** Elements whose text nobody sees. */
const unseen: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template']);

/**
 * What a reader sees of HTML, as plain text: a line a row, a tab between cells, links by their text. Nothing is fetched or
 * run, and every character is looked at once, however broken the tags are.
 */
export function htmlText(html: string): string {
  const sheet = new Sheet();
  const lower = html.toLowerCase();
  const name = /<(\/?[a-z][a-z0-9]*)/y;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    sheet.write(html.slice(at, open === -1 ? undefined : open));
    if (open === -1) break;
    name.lastIndex = open;
    const tag = name.exec(lower)?.[1];
    if (tag === undefined && !'!?/'.includes(html.charAt(open + 1))) {
      sheet.write('<');
      at = open + 1;
      continue;
    }
    at = closeOf(lower, open, tag);
    if (at === -1) break;
    if (tag !== undefined) sheet.mark(tag);
  }
  return sheet.text();
}

/** Where a tag ends, or a comment, or an element that nobody sees. -1 if it never does. */
function closeOf(lower: string, open: number, tag: string | undefined): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open);
  if (tag === undefined || !unseen.has(tag)) return after(lower, '>', open);
  const end = lower.indexOf(`</${tag}`, open);
  return end === -1 ? -1 : after(lower, '>', end);
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? -1 : at + what.length;
}
