import { headsItems } from '../layout/headed-amounts.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { areApart, around, toEvidence } from '../layout/line.ts';
import { isOfBuyer } from '../layout/parties/buyer-block.ts';
import { findHead, type HeadPart, partsBelow } from '../layout/parties/head.ts';
import { isBuyerLabel, isNotice, isReference, isRegistration } from '../layout/parties/notice.ts';
import { rankSuppliers } from '../layout/parties/suppliers.ts';
import type { Found } from './found.ts';

const skippedAtMost = 4;

/**
 * Below the name or to its right, or above it on receipts that name the owner last. Never the
 * customer's address.
 */
export function findSupplierAddress(reading: LayoutReading): Found | undefined {
  const parts = rankSuppliers(reading)[0]?.parts ?? [];
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return undefined;
  const head = findHead(reading, last.row + headBelow);
  const own = head.filter((part) => !isBuyerLabel(part.text) && !isOfBuyer(part, head));
  const below = partsBelow(head, last);
  const end = below.findIndex(({ text, line }) => isBuyerLabel(text) || headsItems(line));
  return (
    addressIn(end < 0 ? below : below.slice(0, end)) ??
    addressIn(besideOf(own, last)) ??
    addressIn(own.filter(({ row }) => row < first.row))
  );
}

const headBelow = 16;

/** The column to the right of the name, starting slightly above it. */
function besideOf(head: readonly HeadPart[], { row, box: name }: HeadPart): HeadPart[] {
  const right = head.filter(
    ({ row: at, box }) => name && box && box[0] > name[2] && at >= row - 3 && at <= row + 4,
  );
  const [first] = right;
  return first ? [first, ...partsBelow(right, first)] : [];
}

/**
 * The first run of lines that can be an address. It starts with a line that has a number and ends
 * at the first line that cannot be part of an address.
 */
export function addressIn(below: readonly HeadPart[]): Found | undefined {
  const begin = below.findIndex((part, i) => i <= skippedAtMost && startsAddress(part.text));
  if (begin < 0 || below.slice(0, begin).some(({ text }) => endsSearch(text))) return undefined;
  const rest = below.slice(opening(below, begin)).filter(({ text }) => /[\p{L}\d]{2}/u.test(text));
  const end = rest.findIndex(
    ({ text }, i) => isNotice(text) || isBuyerLabel(text) || isApart(rest, i),
  );
  const parts = upToPostcode(end < 0 ? rest.slice(0, 6) : rest.slice(0, end));
  const [first] = parts;
  if (!first) return undefined;
  const box = around(parts.flatMap((part) => (part.box ? [{ box: part.box }] : [])));
  const text = parts.map((part) => part.text.trim()).join('\n');
  const postcode = /(?<!\d)\d{4,6}(?!\d)/.test(text);
  return {
    value: parts.map((part) => part.text.trim().replace(/^[,.:;\s]+|[,;\s]+$/g, '')).join(', '),
    evidence: { ...toEvidence(first.line, first), ...(box && { box }), text },
    score: postcode ? 0.8 : 0.5,
  };
}

const afterPostcode = 2;

/** After the postcode, an address has at most a region or country and a branch. */
function upToPostcode(parts: readonly HeadPart[]): readonly HeadPart[] {
  const at = parts.findLastIndex(({ text }) => /(?<!\d)\d{5}(?!\d)/.test(text));
  return at < 0 ? parts : parts.slice(0, at + 1 + afterPostcode);
}

function isApart(parts: readonly HeadPart[], i: number): boolean {
  const [above, part] = [parts[i - 1], parts[i]];
  return (
    above !== undefined &&
    part !== undefined &&
    (part.box ? areApart(above.box, part.box) : part.line.apart)
  );
}

/**
 * If two lines have numbers, the address starts with the one that looks like an address. The other
 * names a branch.
 */
function opening(below: readonly HeadPart[], begin: number): number {
  const opener = below
    .slice(begin, begin + 3)
    .findIndex(({ text }) => /^\W*(?:no|lot|unit|block|suite|level)(?!\p{L})/iu.test(text));
  const between = below.slice(begin, begin + Math.max(0, opener));
  return opener > 0 && !between.some(({ text }) => isNotice(text) || text.includes(','))
    ? begin + opener
    : begin;
}

function startsAddress(text: string): boolean {
  return /\d/.test(text) && /\p{L}/u.test(text) && !isNotice(text) && !isRegistration(text);
}

function endsSearch(text: string): boolean {
  return isNotice(text) && !isReference(text);
}
