import { tokenize } from '../../../lib/fold.ts';
import { closesBracket, continuesName, hasLegalForm, trimCompanyName } from './company-name.ts';
import { type HeadPart, partsBelow } from './head.ts';
import { isNotice } from './notice.ts';
import { isOfOthers, type PageContext } from './page-context.ts';

/**
 * All lines of a name. A legal form on its own line belongs to the line above, and brackets that
 * were opened must close.
 */
export function wholeName(head: readonly HeadPart[], part: HeadPart): HeadPart[] {
  const parts = [part];
  for (let first = part; continuesName(first.text); ) {
    const above = head.find(({ row, text }) => row === first.row - 1 && !isNotice(text));
    if (!above) break;
    parts.unshift(above);
    first = above;
  }
  for (let last = part; ; ) {
    const below = partsBelow(head, last).find(
      ({ row, text }) => row === last.row + 1 && !isNotice(text),
    );
    if (
      !below ||
      !(
        closesBracket(last.text, below.text) ||
        (!hasLegalForm(last.text) && continuesName(below.text))
      )
    )
      break;
    parts.push(below);
    last = below;
  }
  return parts;
}

/**
 * Replaces a short name by the line with the legal name: "Alphabet" is "Alphabet Fuhrparkmanagement
 * GmbH".
 */
export function fullName(name: string, context: PageContext): HeadPart | undefined {
  if (hasLegalForm(name)) return undefined;
  const words = wordsOf(name);
  return context.parts.find((part) => {
    const longer = wordsOf(trimCompanyName(part.text));
    const goesOn = longer.length > words.length && words.every((word, i) => word === longer[i]);
    return (
      goesOn &&
      (hasLegalForm(part.text) || isOverAddress(part, context)) &&
      !isOfOthers(part, context)
    );
  });
}

function isOverAddress(part: HeadPart, { blocks }: PageContext): boolean {
  return blocks.some(({ names: [first] }) => first === part);
}

function wordsOf(text: string): string[] {
  return tokenize(text).map(({ word }) => word);
}
