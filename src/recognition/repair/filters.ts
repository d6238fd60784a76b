import { type Raster, resize } from '../../content/image/raster.ts';
import { loadSharp } from '../../content/image/sharp.ts';

export type Filter = (page: Raster) => Promise<Raster>;

export const despeckle: Filter = (page) => applySharp(page, (image) => image.median(3));

export const soften =
  (sigma: number): Filter =>
  (page) =>
    applySharp(page, (image) => image.blur(sigma));

export const sharpen: Filter = (page) => applySharp(page, (image) => image.sharpen({ sigma: 1.2 }));

export const enlarge: Filter = (page) => resize(page, page.width * 2, page.height * 2);

export const straighten =
  (skewDegrees: number): Filter =>
  (page) =>
    applySharp(page, (image) => image.rotate(-skewDegrees, { background: '#fff' }));

const WHITE = 250;

/** Scales all levels so that paper becomes white. Does not stretch the contrast. */
export const brighten =
  (paper: number): Filter =>
  async (page) => ({
    ...page,
    data: page.data.map((level) => Math.min(255, (level * WHITE) / Math.max(1, paper))),
  });

const COARSE = 8;

/** Removes uneven lighting: divides by a coarse, blurred copy without the ink. */
export const evenLight: Filter = async (page) => {
  const coarse = await resize(
    page,
    Math.ceil(page.width / COARSE),
    Math.ceil(page.height / COARSE),
  );
  const bare = await applySharp(coarse, (image) => image.erode(3));
  const light = await resize(
    await applySharp(bare, (image) => image.blur(4)),
    page.width,
    page.height,
  );
  return {
    ...page,
    data: page.data.map((level, i) =>
      Math.min(255, (level * 255) / Math.max(1, light.data[i] ?? 1)),
    ),
  };
};

type Image = ReturnType<Awaited<ReturnType<typeof loadSharp>>>;

async function applySharp(
  { data, width, height }: Raster,
  change: (image: Image) => Image,
): Promise<Raster> {
  const sharp = await loadSharp();
  const { data: changed, info } = await change(sharp(data, { raw: { width, height, channels: 3 } }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: changed, width: info.width, height: info.height };
}
