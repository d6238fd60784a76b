import type { TextWriter } from '../office/text-writer.ts';
import type { Relationship } from './relationships.ts';
import type { ZipParts } from './zip-parts.ts';

/** Marks the place of a picture by the id of its relationship. */
export type MarkPicture = (id: string | undefined) => void;

/** One picture. */
const maxBytes = 2 ** 26;

export function pictureMarker(
  parts: ZipParts,
  relationships: readonly Relationship[],
  writer: TextWriter,
): MarkPicture {
  const images = relationships.filter(({ type }) => type === 'image');
  const targets = new Map(images.map(({ id, target }) => [id, target]));
  return (id = '') => {
    const target = targets.get(id);
    if (target !== undefined && parts.has(target))
      writer.picture(target, () => parts.readAll(target, maxBytes));
  };
}
