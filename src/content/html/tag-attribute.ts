import { decodeEntities } from './entities.ts';

/** The value of an attribute of a tag. */
export function tagAttribute(tag: string, name: string): string | undefined {
  const pattern = new RegExp(`[\\s"']${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i');
  const [, double, single, bare] = pattern.exec(tag) ?? [];
  const value = double ?? single ?? bare;
  return value === undefined ? undefined : decodeEntities(value).trim();
}
