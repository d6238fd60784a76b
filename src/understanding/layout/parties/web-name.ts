import { fold } from '../../../lib/fold.ts';
import type { HeadPart } from './head.ts';

const address = /(?:@|www\.|https?:\/\/)(?:www\.)?(?<name>[\p{L}\d-]+)\.\p{L}/giu;
/** Providers where anyone can have an address. */
const common =
  /^(?:g?mail|googlemail|hotmail|outlook|yahoo|live|icloud|gmx|web|tonline|orange|free|libero|facebook)$/;

/** The domain names of websites and mail addresses on a page, folded. */
export function findWebNames(parts: readonly HeadPart[]): string[] {
  const names = parts.flatMap(({ text }) =>
    [...text.matchAll(address)].map(({ groups }) => fold(groups?.name ?? '')),
  );
  return names.filter((name) => name.length > 3 && !common.test(name));
}

/** A company's website is usually named after it: "Kraxi GmbH" is at kraxi.com. */
export function isCalled(site: string, company: string): boolean {
  const words = company.split(/[^\p{L}\d]+/u).map(fold);
  return (
    fold(company).startsWith(site) || words.some((word) => word.length > 3 && site.includes(word))
  );
}
