import { fold } from '../../../lib/fold.ts';
import type { LayoutReading } from '../layout-reading.ts';
import { hasLegalForm, hasRegisterNumber, hasTrade, trimCompanyName } from './company-name.ts';
import type { HeadPart } from './head.ts';
import { findAddress, isOfOthers, type PageContext, readPageContext } from './page-context.ts';
import { joinName, type PartyCandidate, ranked } from './party.ts';
import { namesOfSellers } from './seller-names.ts';
import { findWebNames, isCalled } from './web-name.ts';
import { fullName } from './whole-name.ts';

/** Who the seller may be, best first: by label, by place and size, and by what else on the page is its. */
export function rankSuppliers(reading: LayoutReading): PartyCandidate[] {
  const scene = readPageContext(reading);
  const webNames = findWebNames(scene.parts.filter((part) => !isOfOthers(part, scene)));
  return ranked(
    namesOfSellers(scene).map(({ part, parts, place }) => {
      const full = fullName(joinName(parts), scene);
      const own = full ? [full] : parts;
      const value = joinName(own);
      const isWeb = webNames.some((site) => isCalled(site, value));
      const backing =
        looks(part, scene) +
        blockWeight(part, scene) +
        (isWeb ? weights.site : 0) +
        againWeight(value, own, scene);
      return {
        value,
        parts: own,
        score: place + backing,
        backing,
        address: findAddress(part, scene),
      };
    }),
  );
}

const weights = {
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

function looks(part: HeadPart, scene: PageContext): number {
  const { text } = part;
  const isCompany = hasLegalForm(trimCompanyName(text)) || isOneOfTwo(part, scene);
  const form = isCompany ? weights.legalForm : hasTrade(text) ? weights.trade : 0;
  return form + (form > 0 && hasRegisterNumber(text) ? weights.registered : 0);
}

/** Between two addresses a legal form tells nothing: buyers have one as well. */
function isOneOfTwo(part: HeadPart, { blocks }: PageContext): boolean {
  const named = blocks.filter(({ owner, names }) => !owner && names.length > 0);
  return named.length > 1 && named.some(({ names: [first] }) => first === part);
}

function blockWeight(part: HeadPart, scene: PageContext): number {
  const block = findAddress(part, scene);
  if (!block) return 0;
  if (block.owner || block.reachable)
    return weights.address + (block.reachable ? weights.reachable : 0);
  // Of two addresses the one with phone, tax id or account is the seller's.
  const isOther = scene.blocks.some(
    ({ owner, reachable }) => reachable && owner !== 'buyer' && owner !== 'other',
  );
  return isOther ? weights.unreachable : weights.address;
}

const longEnough = 6;

/** At the foot, as the holder of an account: only a seller names itself more than once. */
function againWeight(value: string, own: readonly HeadPart[], { parts }: PageContext): number {
  const name = fold(value);
  const rows = own.map(({ row }) => row);
  const elsewhere = parts.filter(
    ({ row }) => row < Math.min(...rows) - 1 || row > Math.max(...rows) + 1,
  );
  const again = elsewhere.filter(({ line }) => fold(line.text).includes(name));
  if (name.length < longEnough || again.length === 0) return 0;
  const isHolder = again.some(({ line }) =>
    fold(line.text.split(':').slice(1).join(' ')).startsWith(name),
  );
  return weights.again + (isHolder ? weights.holder : 0);
}
