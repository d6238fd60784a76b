import { open } from 'node:fs/promises';
import type { PageInput } from '../../content/format.ts';
import type { Raster } from '../../content/image/raster.ts';
import { loadSharp } from '../../content/image/sharp.ts';
import { TiffWriter } from '../../content/image/tiff-writer.ts';
import { requireCapability } from '../../content/index.ts';
import type { PageToRepair } from '../../domain/transcription.ts';
import { applyRemedies } from './remedies.ts';

export interface RepairInput extends Omit<PageInput, 'page'> {
  /** Pages to write, in order, with their defects. Pages without defects are not filtered. */
  pages: readonly PageToRepair[];
  output: string;
}

export interface RepairOutput {
  mediaType: 'image/png' | 'image/tiff';
  repaired: number[];
}

/**
 * Writes repaired pages: a single page as PNG, several as TIFF. Must run in a process that can be
 * killed, since its input is untrusted.
 */
export async function repairImage({
  pages,
  output,
  ...source
}: RepairInput): Promise<RepairOutput> {
  const repaired = pages.filter(({ defects }) => defects.length > 0).map(({ number }) => number);
  const [only] = pages;
  if (only && pages.length === 1) {
    await writePng(await repairPage(source, only), output);
    return { mediaType: 'image/png', repaired };
  }
  const file = await open(output, 'w');
  try {
    const tiff = new TiffWriter(file, pages.length);
    for (const page of pages) await tiff.add(await repairPage(source, page));
  } finally {
    await file.close();
  }
  return { mediaType: 'image/tiff', repaired };
}

async function repairPage(
  source: Omit<PageInput, 'page'>,
  { number, defects }: PageToRepair,
): Promise<Raster> {
  const { raster } = await requireCapability(
    source.mediaType,
    'pages',
  )({ ...source, page: number });
  return defects.length > 0 ? await applyRemedies(raster, defects) : raster;
}

async function writePng({ data, width, height }: Raster, output: string): Promise<void> {
  const sharp = await loadSharp();
  await sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toFile(output);
}
