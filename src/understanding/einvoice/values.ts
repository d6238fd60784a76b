import { isoDate } from '../values/date.ts';
import { nodesAt, textAt, type XmlNode } from './xml.ts';

/** E-invoices write amounts with a decimal point. */
export function numberAt(node: XmlNode, ...paths: string[]): number | undefined {
  return parseNumber(textAt(node, ...paths));
}

export function parseNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined;
}

/**
 * Accepts `2024-03-01`, with or without a time, and the UN/EDIFACT formats `102` (20240301) and
 * `203` (202403011200).
 */
export function dateAt(node: XmlNode, ...paths: string[]): string | undefined {
  const text = textAt(node, ...paths) ?? '';
  const [, year, month, day] = text.match(/^(\d{4})-?(\d{2})-?(\d{2})/) ?? [];
  return year === undefined ? undefined : isoDate(Number(year), Number(month), Number(day));
}

/** An address on one line, in the order of `parts`. */
export function addressAt(
  node: XmlNode,
  path: string,
  parts: readonly string[],
): string | undefined {
  const [address] = nodesAt(node, path);
  const texts = address ? parts.flatMap((part) => textAt(address, part) ?? []) : [];
  return texts.length > 0 ? texts.join(', ') : undefined;
}
