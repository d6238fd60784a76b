import { around, evidenceOf } from '../../../domain/layout/line.ts';
import type { Reading } from '../../../domain/layout/reading.ts';
import { isOfBuyer } from './buyer-block.ts';
import {
  closesBracket,
  continuesName,
  hasLegalForm,
  hasRegisterNumber,
  hasTrade,
  trimCompanyName,
} from './company-name.ts';
import type { Found } from './found.ts';
import { type HeadPart, headOf, isBuyerLabel, isNotice, partsBelow } from './head.ts';
import { labelledParty } from './labelled-party.ts';

interface Supplier {
  /** The lines its name is printed in. */
  parts: readonly HeadPart[];
  found: Found;
}

export function findSupplierName(reading: Reading): Found | undefined {
  return findSupplier(reading)?.found;
}

/**
 * The name under a label of the seller; else the one at the top that looks most like a company: by legal form, by size,
 * by how early it stands.
 */
export function findSupplier(reading: Reading): Supplier | undefined {
  const head = headOf(reading);
  const named = labelledParty(reading, 'supplier');
  if (named) return supplierIn([named], 0.9);
  const size = medianHeight(head);
  const ranked = head
    .filter((part) => isName(part, head))
    .map((part, rank) => ({ part, score: scoreOf(part, rank, size) }))
    .sort((a, b) => b.score - a.score);
  const [best] = ranked;
  if (!best) return undefined;
  return supplierIn(wholeName(head, best.part), Math.min(1, Math.max(0.1, best.score)));
}

function supplierIn(parts: readonly HeadPart[], score: number): Supplier | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const box = around(parts.flatMap((part) => (part.box ? [{ box: part.box }] : [])));
  const text = parts.map((part) => part.text).join(' ');
  const evidence = { ...evidenceOf(first.line, first), ...(box && { box }), text };
  return { parts, found: { value: trimCompanyName(text), evidence, score } };
}

function isName(part: HeadPart, head: readonly HeadPart[]): boolean {
  const name = trimCompanyName(part.text);
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || letters < (name.match(/\d/g)?.length ?? 0)) return false;
  if (isNotice(name) && !hasLegalForm(name)) return false;
  return !isBuyerLabel(part.text) && !isOfBuyer(part, head);
}

function scoreOf({ text, row, box }: HeadPart, rank: number, size: number): number {
  const larger = box && size > 0 ? Math.min(0.2, Math.max(0, ((box[3] - box[1]) / size - 1.2) * 0.2)) : 0;
  const form = hasLegalForm(trimCompanyName(text)) ? 0.6 : hasTrade(text) ? 0.25 : 0;
  const registered = form > 0 && hasRegisterNumber(text) ? 0.2 : 0;
  const first = rank === 0 ? 0.25 : 0;
  return 0.3 + form + registered + first + larger - 0.07 * row;
}

/** Names run over several lines: a legal form on its own line belongs to the line above it, brackets are closed. */
function wholeName(head: readonly HeadPart[], part: HeadPart): HeadPart[] {
  const parts = [part];
  for (let first = part; continuesName(first.text); ) {
    const above = head.find(({ row, text }) => row === first.row - 1 && !isNotice(text));
    if (!above) break;
    parts.unshift(above);
    first = above;
  }
  for (let last = part; ; ) {
    const below = partsBelow(head, last).find(({ row, text }) => row === last.row + 1 && !isNotice(text));
    if (!below || !(closesBracket(last.text, below.text) || (!hasLegalForm(last.text) && continuesName(below.text))))
      break;
    parts.push(below);
    last = below;
  }
  return parts;
}

function medianHeight(head: readonly HeadPart[]): number {
  const heights = head.flatMap(({ box }) => (box ? [box[3] - box[1]] : [])).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}
