import sharp, { type Sharp } from 'sharp';

export type Degradation = keyof typeof degradations;

/** Degraded copies of good scans, identical on every run. */
export const degradations = {
  'blur 2': (path) => sharp(path).blur(2),
  'salt and pepper': (path) =>
    perPixel(path, (level, random) => (random() < 0.04 ? (random() < 0.5 ? 0 : 255) : level)),
  'downscaled 3x': async (path) =>
    sharp(path).resize(Math.round(((await sharp(path).metadata()).width ?? 3) / 3)),
  'strong noise': (path) => perPixel(path, (level, random) => level + 50 * gaussian(random)),
  dark: (path) => perPixel(path, (level) => level * 0.3),
  skew: (path) => sharp(path).rotate(5, { background: '#fff' }),
  'low contrast': (path) => perPixel(path, (level) => 160 + (level - 128) * 0.2),
} satisfies Record<string, (path: string) => Sharp | Promise<Sharp>>;

type Change = (level: number, random: () => number) => number;

async function perPixel(path: string, change: Change): Promise<Sharp> {
  const { data, info } = await sharp(path).greyscale().raw().toBuffer({ resolveWithObject: true });
  const random = seeded(info.width * info.height);
  const changed = data.map((level) => Math.max(0, Math.min(255, change(level, random))));
  return sharp(changed, { raw: { width: info.width, height: info.height, channels: 1 } });
}

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
