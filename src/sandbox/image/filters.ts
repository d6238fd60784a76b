import { type Raster, resize } from './raster.ts';
import { loadSharp } from './sharp.ts';

export type Filter = (page: Raster) => Promise<Raster>;

/** Takes out specks and leaves edges where they are. */
export const despeckle: Filter = (page) => through(page, (image) => image.median(3));

/** Evens out grain and the blocks of strong compression. */
export const soften: Filter = (page) => through(page, (image) => image.blur(0.6));

export const sharpen: Filter = (page) => through(page, (image) => image.sharpen({ sigma: 1.2 }));

export const enlarge: Filter = (page) => resize(page, page.width * 2, page.height * 2);

export const straighten =
  (skewDegrees: number): Filter =>
  (page) =>
    through(page, (image) => image.rotate(-skewDegrees, { background: '#fff' }));

/** Divides by the light that falls on the paper, taken from a strongly blurred copy of its brightest parts. */
export const evenLight: Filter = async (page) => {
  const reach = Math.max(8, Math.round(Math.min(page.width, page.height) / 40));
  const small = await resize(page, Math.max(1, Math.round(page.width / 8)), Math.max(1, Math.round(page.height / 8)));
  const lit = await through(small, (image) => image.dilate(Math.ceil(reach / 8)).blur(Math.max(1, reach / 8)));
  const paper = await resize(lit, page.width, page.height);
  return { ...page, data: page.data.map((level, i) => Math.min(255, (level * 255) / Math.max(1, paper.data[i] ?? 1))) };
};

type Image = ReturnType<Awaited<ReturnType<typeof loadSharp>>>;

async function through({ data, width, height }: Raster, change: (image: Image) => Image): Promise<Raster> {
  const sharp = await loadSharp();
  const { data: changed, info } = await change(sharp(data, { raw: { width, height, channels: 3 } }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: changed, width: info.width, height: info.height };
}
