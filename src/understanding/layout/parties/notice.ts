import { findDates } from '../../values/date.ts';
import { type Label, phrasesFor, says } from '../labels.ts';
import { findPhrase } from '../phrase.ts';

/** A customer label at the start of a line, but not the label of a customer number. */
export function isBuyerLabel(text: string): boolean {
  const label = findPhrase(text, phrasesFor('buyer'));
  return (
    label?.start === 0 && !/^\W*(?:no|nr|n[°º]|num|id|ref)(?!\p{L})/iu.test(text.slice(label.end))
  );
}

/** Whose address it is. `other`: a delivery address or a representative. */
export type Inscription = 'buyer' | 'supplier' | 'other';

const inscriptions: readonly (readonly [Inscription, readonly Label[]])[] = [
  ['other', ['delivery', 'representative']],
  ['buyer', ['buyer', 'attention', 'addressee']],
  ['supplier', ['supplier', 'sender']],
];

/**
 * Whose name and address follow, if the text is nothing but labels: "Bill to:",
 * "Käufer/Leistungsempfänger".
 */
export function parseInscription(text: string): Inscription | undefined {
  const [kind, labels = []] =
    inscriptions.find(([, names]) => endOfLabel(text, names) !== undefined) ?? [];
  // A delivery label may be followed by more text: "Delivery: address, references".
  if (kind === 'other' && text.includes(':')) return kind;
  let rest = text;
  for (let end = endOfLabel(rest, labels); end !== undefined; end = endOfLabel(rest, labels))
    rest = rest.slice(end).replace(/^[^\p{L}\d]+/u, '');
  return rest === '' ? kind : undefined;
}

/** The end of the label at the start of a text. */
function endOfLabel(text: string, labels: readonly Label[]): number | undefined {
  return labels
    .map((label) => findPhrase(text, phrasesFor(label)))
    .find((span) => span?.start === 0)?.end;
}

/** "Attn: Ms Hughes": a contact person, not the addressee. */
export function isAttention(text: string): boolean {
  return endOfLabel(text, ['attention']) !== undefined;
}

/** "Name:", "Number : 12". */
export function isLabelled({
  text,
  end,
  line,
}: {
  text: string;
  end: number;
  line: { text: string };
}): boolean {
  return text.includes(':') || /^\s*:/.test(line.text.slice(end));
}

/**
 * Neither a name nor an address: a phone number, tax ID, heading, date, price or document number.
 */
export function isNotice(text: string): boolean {
  return (
    isReference(text) || isHeading(text) || findDates(text).length > 0 || timeOrPrice.test(text)
  );
}

/** A notice that may be printed between a name and its address. */
export function isReference(text: string): boolean {
  if (
    says(text, 'contact', 'vatId', 'bank') ||
    isRegistration(text) ||
    isPhone(text) ||
    webAddress.test(text)
  )
    return true;
  return (
    /[:#]|\bno\b/i.test(text) && says(text, 'invoiceNumber', 'purchaseOrder', 'issueDate', 'date')
  );
}

const webAddress = /@|www\b|\w ?\.(?:com|net|org|info|eu|de|fr|my)\b/i;
const timeOrPrice = /\d:\d{2}|\d\.\d{2}(?!\d)/;
const registerNumber =
  /^\W*(?:[A-Z]{2,3})?(?:\d{4,}-[A-Z]{1,3}|\d{6,}[\s-]*[A-Z\d]{0,3})\W*$|(?<!\d)\d{5,}-[A-Z]\W*$/i;

/** A register number, alone or after its label. */
export function isRegistration(text: string): boolean {
  return says(text, 'registration') || registerNumber.test(text);
}

function isPhone(text: string): boolean {
  const runs = text.match(/[+\d][\d\s()-]{7,}/g) ?? [];
  return runs.some((run) => run.replace(/\D/g, '').length >= 8);
}

/** A heading of the document or of its table. */
function isHeading(text: string): boolean {
  if (/\d/.test(text)) return false;
  const ofTable = says(text, 'columnQuantity') && says(text, 'columnUnitPrice', 'columnAmount');
  return ofTable || (text.length < 40 && says(text, 'title'));
}
