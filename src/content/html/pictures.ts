import type { LoadPicture, PictureTaker } from '../format.ts';

/** Returns what to write in place of a picture, by its address. */
export type MarkSource = (source: string) => string;

/**
 * Marks pictures that are part of the page itself (`data:` addresses), and those that `find` has,
 * such as the parts of a message. Nothing is fetched.
 */
export function embeddedPictures(
  pictures: PictureTaker | undefined,
  find: (source: string) => FoundPicture | undefined = () => undefined,
): MarkSource | undefined {
  if (!pictures) return undefined;
  return (source) => {
    const found = /^data:/i.test(source) ? ofDataAddress(source) : find(source);
    return found ? pictures.add(found.name, found.load) : '';
  };
}

interface FoundPicture {
  /** Identifies it in the file. */
  name: string;
  load: LoadPicture;
}

function ofDataAddress(source: string): FoundPicture | undefined {
  const comma = source.indexOf(',');
  if (!/^data:image\/[^,]*;base64$/i.test(source.slice(0, comma))) return undefined;
  return { name: source, load: () => Buffer.from(source.slice(comma + 1), 'base64') };
}
