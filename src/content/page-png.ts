import type { PageInput } from './format.ts';
import { loadSharp } from './image/sharp.ts';
import { requireCapability } from './index.ts';

export async function renderPng(
  input: PageInput,
): Promise<{ png: Uint8Array; width: number; height: number }> {
  const { raster } = await requireCapability(input.mediaType, 'pages')(input);
  const { data, width, height } = raster;
  const sharp = await loadSharp();
  const png = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return { png, width, height };
}
