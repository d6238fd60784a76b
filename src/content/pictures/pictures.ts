import { createHash } from 'node:crypto';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import type { LoadPicture, PictureLimits, PictureTaker, SavedPicture } from '../format.ts';
import { image } from '../image/index.ts';
import { openImage } from '../image/open-image.ts';
import { pictureMark } from './mark.ts';

/** Pictures that are looked at. A file with more repeats few of them, or is made to cost time. */
const maxPlaces = 5000;

/**
 * The pictures in a file. A reader adds each where the text has it, and writes the returned mark
 * there. Those large enough to hold text are saved as files; a picture that is repeated, such as a
 * logo, is saved once.
 */
export class Pictures implements PictureTaker {
  readonly #limits: PictureLimits;
  readonly #waiting: { number: number; load: LoadPicture }[] = [];
  readonly #names = new Set<string>();
  readonly #digests = new Set<string>();
  readonly #saved: SavedPicture[] = [];
  #leftOut = 0;
  #number = 0;

  constructor(limits: PictureLimits) {
    this.#limits = limits;
  }

  add(name: string, load: LoadPicture): string {
    if (this.#names.has(name) || this.#names.size >= maxPlaces) return '';
    this.#names.add(name);
    this.#number += 1;
    this.#waiting.push({ number: this.#number, load });
    return pictureMark(this.#number);
  }

  async save(): Promise<void> {
    for (const { number, load } of this.#waiting.splice(0)) await this.#take(number, load);
  }

  get result(): { pictures: SavedPicture[]; picturesLeftOut: number } {
    return { pictures: this.#saved, picturesLeftOut: this.#leftOut };
  }

  async #take(number: number, load: LoadPicture): Promise<void> {
    // A damaged picture costs only itself: the text around it is read.
    const bytes = await Promise.resolve(load()).catch(() => undefined);
    if (!bytes || bytes.length === 0) return;
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (this.#digests.has(digest)) return;
    this.#digests.add(digest);
    const { mime: mediaType = '' } = (await fileTypeFromBuffer(bytes)) ?? {};
    if (!Object.hasOwn(image.types, mediaType)) return;
    const path = join(this.#limits.directory, String(number));
    await writeFile(path, bytes, { flag: 'wx' });
    const isKept = (await this.#isLarge({ path, mediaType })) && this.#hasRoom();
    if (isKept) this.#saved.push({ number, path, mediaType });
    else await unlink(path);
  }

  async #isLarge(file: { path: string; mediaType: string }): Promise<boolean> {
    const { minPixels, maxPixels } = this.#limits;
    try {
      const { image: opened } = await openImage({ ...file, page: 1, maxPixels });
      const { width, height } = await opened.metadata();
      return width * height >= minPixels && width * height <= maxPixels;
    } catch {
      return false;
    }
  }

  #hasRoom(): boolean {
    if (this.#saved.length < this.#limits.most) return true;
    this.#leftOut += 1;
    return false;
  }
}
