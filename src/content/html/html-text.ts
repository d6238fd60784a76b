import type { MarkSource } from './pictures.ts';
import { Sheet } from './sheet.ts';
import { tagAttribute } from './tag-attribute.ts';

/** Elements whose content browsers do not display. */
const undisplayed: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template']);

/**
 * Converts HTML to the text a reader would see: one line per table row, tabs between cells, link
 * texts without addresses. Nothing is fetched or executed. Runs in linear time, whatever the tags.
 */
export function htmlText(html: string, markPicture?: MarkSource): string {
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
    if (tag === 'img' && markPicture)
      sheet.write(markPicture(tagAttribute(html.slice(open, at), 'src') ?? ''));
  }
  return sheet.text();
}

/** End of a tag, comment or undisplayed element; -1 if it is never closed. */
function closeOf(lower: string, open: number, tag: string | undefined): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open);
  if (tag === undefined || !undisplayed.has(tag)) return after(lower, '>', open);
  const end = lower.indexOf(`</${tag}`, open);
  return end === -1 ? -1 : after(lower, '>', end);
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? -1 : at + what.length;
}
