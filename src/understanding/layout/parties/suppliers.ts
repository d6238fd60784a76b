import { fold } from '../../../lib/fold.ts';
import { memoizeBy } from '../../../lib/memoize-by.ts';
import type { LayoutReading } from '../layout-reading.ts';
import { hasLegalForm, hasRegisterNumber, hasTrade, trimCompanyName } from './company-name.ts';
import type { HeadPart } from './head.ts';
import { findAddress, isOfOthers, type PageContext, readPageContext } from './page-context.ts';
import { joinName, type PartyCandidate, ranked } from './party.ts';
import { namesOfSellers } from './seller-names.ts';
import { findWebNames, isCalled } from './web-name.ts';
import { fullName } from './whole-name.ts';

/**
 * Candidates for the seller, best first: by label, by position and size, and by other details on
 * the page that belong to it.
 */
export const rankSuppliers = memoizeBy((reading: LayoutReading): readonly PartyCandidate[] => {
  const context = readPageContext(reading);
  const webNames = findWebNames(context.parts.filter((part) => !isOfOthers(part, context)));
  return ranked(
    namesOfSellers(context).map(({ part, parts, place }) => {
      const full = fullName(joinName(parts), context);
      const own = full ? [full] : parts;
      const value = joinName(own);
      const isWeb = webNames.some((site) => isCalled(site, value));
      const backing =
        looks(part, context) +
        blockWeight(part, context) +
        (isWeb ? weights.site : 0) +
        againWeight(value, own, context);
      return {
        value,
        parts: own,
        score: place + backing,
        backing,
        address: findAddress(part, context),
      };
    }),
  );
});

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

function looks(part: HeadPart, context: PageContext): number {
  const { text } = part;
  const isCompany = hasLegalForm(trimCompanyName(text)) || isOneOfTwo(part, context);
  const form = isCompany ? weights.legalForm : hasTrade(text) ? weights.trade : 0;
  return form + (form > 0 && hasRegisterNumber(text) ? weights.registered : 0);
}

/** If there are two addresses, a legal form does not distinguish them: buyers have one as well. */
function isOneOfTwo(part: HeadPart, { blocks }: PageContext): boolean {
  const named = blocks.filter(({ owner, names }) => !owner && names.length > 0);
  return named.length > 1 && named.some(({ names: [first] }) => first === part);
}

function blockWeight(part: HeadPart, context: PageContext): number {
  const block = findAddress(part, context);
  if (!block) return 0;
  if (block.owner || block.reachable)
    return weights.address + (block.reachable ? weights.reachable : 0);
  // Of two addresses, the one with a phone number, tax ID or bank account is the seller's.
  const isOther = context.blocks.some(
    ({ owner, reachable }) => reachable && owner !== 'buyer' && owner !== 'other',
  );
  return isOther ? weights.unreachable : weights.address;
}

const longEnough = 6;

/** Only a seller prints its name more than once: in the footer, or as the account holder. */
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
