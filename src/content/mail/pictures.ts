import type { PictureTaker } from '../format.ts';
import { embeddedPictures, type MarkSource } from '../html/pictures.ts';

/** A part of a message that its HTML body may show. */
export interface ShownPart {
  contentId: string | undefined;
  read(): Buffer | undefined;
}

/** Marks pictures that a body shows by the Content-ID of a part (`cid:` addresses). */
export function messagePictures(
  pictures: PictureTaker | undefined,
  parts: readonly ShownPart[],
): MarkSource | undefined {
  const byId = new Map(parts.map((part) => [trimId(part.contentId ?? ''), part]));
  return embeddedPictures(pictures, (source) => {
    if (!/^cid:./i.test(source)) return undefined;
    const part = byId.get(trimId(source.slice('cid:'.length)));
    return part && { name: source.toLowerCase(), load: () => part.read() };
  });
}

function trimId(id: string): string {
  return id.trim().replace(/^<|>$/g, '').toLowerCase();
}
