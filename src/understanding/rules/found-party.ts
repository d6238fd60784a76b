import { around, toEvidence } from '../layout/line.ts';
import type { PartyCandidate } from '../layout/parties/party.ts';
import type { Found } from './found.ts';

export function foundParty({ value, parts, score }: PartyCandidate): Found | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const box = around(parts.flatMap((part) => (part.box ? [{ box: part.box }] : [])));
  const text = parts.map((part) => part.text).join(' ');
  const evidence = { ...toEvidence(first.line, first), ...(box && { box }), text };
  return { value, evidence, score: Math.min(1, Math.max(0.1, score)) };
}
