import { fold } from '../../values/fold.ts';
import type { Reading } from '../reading.ts';
import { hasLegalForm, hasRegisterNumber, hasTrade, trimCompanyName } from './company-name.ts';
import { type HeadPart, headLines } from './head.ts';
import { inscriptionOf, isBuyerLabel, isNotice } from './notice.ts';
import { nameOf, type PartyCandidate, ranked } from './party.ts';
import { addressOf, isOfOthers, type Scene, sceneOf } from './scene.ts';
import { isCalled, webNamesOf } from './web-name.ts';
import { fullName, wholeName } from './whole-name.ts';

/** Who the seller may be, best first: by label, by place and size, and by what else on the page is its. */
export function rankSuppliers(reading: Reading): PartyCandidate[] {
  const scene = sceneOf(reading);
  const names = [...outrightIn(scene), ...inHead(scene), ...atFoot(scene)];
  const webNames = webNamesOf(scene.parts.filter((part) => !isOfOthers(part, scene)));
  return ranked(
    names.map(({ part, parts, place }) => {
      const full = fullName(nameOf(parts), scene);
      const own = full ? [full] : parts;
      const value = nameOf(own);
      const isWeb = webNames.some((site) => isCalled(site, value));
      const backing =
        looks(part, scene) + blockWeight(part, scene) + (isWeb ? weights.site : 0) + againWeight(value, own, scene);
      return { value, parts: own, score: place + backing, backing, address: addressOf(part, scene) };
    }),
  );
}

interface Name {
  /** The line that looks like a name. */
  part: HeadPart;
  /** All lines of it. */
  parts: readonly HeadPart[];
  /** What its place on the page says for it. */
  place: number;
}

const weights = {
  labelled: 1.5,
  sender: 0.9,
  name: 0.3,
  foot: -0.3,
  first: 0.25,
  lower: -0.07,
  legalForm: 0.6,
  trade: 0.25,
  registered: 0.2,
  address: 0.15,
  reachable: 0.15,
  unreachable: -0.5,
  site: 0.2,
  again: 0.3,
  holder: 0.15,
} as const;

/** Under a label of the seller, or in the line of the sender. */
function outrightIn({ blocks, sender, seller }: Scene): Name[] {
  const owned = blocks.filter(({ owner }) => owner === 'supplier').flatMap(({ names }) => names.slice(0, 1));
  return [
    ...[...(seller ? [seller] : []), ...owned].map((part) => ({ part, parts: [part], place: weights.labelled })),
    ...(sender ? [{ part: sender.name, parts: [sender.name], place: weights.sender }] : []),
  ];
}

function inHead(scene: Scene): Name[] {
  const head = scene.parts.filter(({ row }) => row < headLines);
  const size = medianHeight(head);
  return head
    .filter((part) => isName(part, scene))
    .map((part, rank) => ({
      part,
      parts: wholeName(head, part),
      place: weights.name + (rank === 0 ? weights.first : 0) + lowness(part, scene) + larger(part, size),
    }));
}

/** A logo may be no text at all: who it is in law then stands at the foot, over its address. */
function atFoot(scene: Scene): Name[] {
  const names = scene.blocks.flatMap((block) => block.names.slice(0, 1)).filter(({ row }) => row >= headLines);
  return names
    .filter((part) => isName(part, scene))
    .map((part) => ({ part, parts: [part], place: weights.name + weights.foot }));
}

function isName(part: HeadPart, scene: Scene): boolean {
  const name = trimCompanyName(part.text);
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || letters < (name.match(/\d/g)?.length ?? 0)) return false;
  if ((isNotice(name) && !hasLegalForm(name)) || isLabel(part)) return false;
  if (isBuyerLabel(part.text) || inscriptionOf(part.text)) return false;
  return !isOfOthers(part, scene) && !isStreet(part, scene);
}

function isLabel({ text, end, line }: HeadPart): boolean {
  return /:\s*$/.test(text) || /^\s*:/.test(line.text.slice(end));
}

function isStreet(part: HeadPart, { blocks }: Scene): boolean {
  return blocks.some(({ lines, names }) => lines.includes(part) && !names.includes(part));
}

function looks(part: HeadPart, scene: Scene): number {
  const { text } = part;
  const isCompany = hasLegalForm(trimCompanyName(text)) || isOneOfTwo(part, scene);
  const form = isCompany ? weights.legalForm : hasTrade(text) ? weights.trade : 0;
  return form + (form > 0 && hasRegisterNumber(text) ? weights.registered : 0);
}

/** Between two addresses a legal form tells nothing: buyers have one as well. */
function isOneOfTwo(part: HeadPart, { blocks }: Scene): boolean {
  const named = blocks.filter(({ owner, names }) => !owner && names.length > 0);
  return named.length > 1 && named.some(({ names: [first] }) => first === part);
}

/** The lower, the less likely, down to the names of the addresses at the foot. */
function lowness(part: HeadPart, scene: Scene): number {
  const low = weights.lower * part.row;
  return addressOf(part, scene) ? Math.max(low, weights.foot) : low;
}

function larger({ box }: HeadPart, size: number): number {
  return box && size > 0 ? Math.min(0.2, Math.max(0, ((box[3] - box[1]) / size - 1.2) * 0.2)) : 0;
}

function blockWeight(part: HeadPart, scene: Scene): number {
  const block = addressOf(part, scene);
  if (!block) return 0;
  if (block.owner || block.reachable) return weights.address + (block.reachable ? weights.reachable : 0);
  // Of two addresses the one with phone, tax id or account is the seller's.
  const isOther = scene.blocks.some(({ owner, reachable }) => reachable && owner !== 'buyer' && owner !== 'other');
  return isOther ? weights.unreachable : weights.address;
}

const longEnough = 6;

/** At the foot, as the holder of an account: only a seller names itself more than once. */
function againWeight(value: string, own: readonly HeadPart[], { parts }: Scene): number {
  const name = fold(value);
  const rows = own.map(({ row }) => row);
  const elsewhere = parts.filter(({ row }) => row < Math.min(...rows) - 1 || row > Math.max(...rows) + 1);
  const again = elsewhere.filter(({ line }) => fold(line.text).includes(name));
  if (name.length < longEnough || again.length === 0) return 0;
  const isHolder = again.some(({ line }) => fold(line.text.split(':').slice(1).join(' ')).startsWith(name));
  return weights.again + (isHolder ? weights.holder : 0);
}

function medianHeight(head: readonly HeadPart[]): number {
  const heights = head.flatMap(({ box }) => (box ? [box[3] - box[1]] : [])).sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)] ?? 0;
}
