import { says } from './labels.ts';

const without =
  /(?<!\p{L})(?:without|no|ohne|kein\p{L}*|sans|sin|senza|zonder|sem|bez|utan|uden|uten|ilman)\s+\p{L}+/giu;

/** Whether payment terms offer a discount: "2 % discount", but not "without discount". */
export function isDiscounted(text: string): boolean {
  const rest = text.replace(without, '');
  return rest.includes('%') || says(rest, 'discount');
}
