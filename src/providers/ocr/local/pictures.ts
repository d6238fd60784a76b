import type { Problem } from '../../../domain/problem.ts';
import type { Box, Page } from '../../../domain/transcription.ts';
import { allOrNone } from '../../../lib/all-or-none.ts';
import { checkLane, type PictureOptions, type SourceFile } from '../port.ts';
import { joinPictures, replacePictures } from './join-pictures.ts';
import type { LocalReaderOptions } from './options.ts';
import { PictureReader } from './picture-reader.ts';
import { trustInPage } from './text-layer.ts';
import type { TextPart } from './text-pages.ts';

interface Reading {
  pages: Page[];
  problems: Problem[];
}

/** Reads the pictures in a document and joins their text with that of its pages. */
export async function readPictures(
  pages: Page[],
  parts: readonly TextPart[],
  file: SourceFile & { pictures: PictureOptions },
  options: LocalReaderOptions,
  signal: AbortSignal,
): Promise<Reading> {
  const reader = new PictureReader(file, options);
  const saved = parts.flatMap((part) => part.pictures ?? []);
  const onPages = listOnPages(parts, file.pictures);
  const chosen = onPages.slice(0, file.pictures.most);
  const leftOut = parts.reduce((sum, part) => sum + (part.picturesLeftOut ?? 0), 0);
  reader.leaveOut(leftOut + onPages.length - chosen.length);
  checkLane(pages.length + saved.length + chosen.length, file.largeFrom);
  const inText = await allOrNone(
    saved.map((one) => async (stop) => [one.number, await reader.readSaved(one, stop)] as const),
    signal,
  );
  const onPage = await allOrNone(
    chosen.map((one) => async (stop) => ({ ...one, seen: await reader.readPart(one, stop) })),
    signal,
  );
  const readings = new Map(inText);
  const joined = pages.map((page) => {
    const shown = onPage.flatMap(({ page: number, box, seen }) =>
      number === page.number && seen ? [{ box, seen }] : [],
    );
    return joinPictures(replacePictures(page, readings), shown);
  });
  return { pages: joined, problems: reader.problems };
}

/** Large pictures on pages whose text layer is used, in order. Other pages are read as a whole. */
function listOnPages(
  parts: readonly TextPart[],
  { minPixels }: PictureOptions,
): { page: number; box: Box }[] {
  return parts
    .flatMap(({ pages }) => pages)
    .filter((page) => trustInPage(page) === 'trusted')
    .flatMap(({ number, layer }) =>
      (layer?.pictures ?? [])
        .filter(({ pixels }) => pixels >= minPixels)
        .map(({ box }) => ({ page: number, box })),
    );
}
