import type { Quality, Word } from '../../domain/transcription.ts';
import { loadPage, type PageSource } from '../page-source.ts';
import { recognisePage } from './engine.ts';
import type { Script } from './models.ts';
import { qualityOfScan } from './quality.ts';

export interface OcrPageInput extends PageSource {
  script: Script;
}

export interface OcrPageOutput {
  /** Of the page as it reads: turned upright if it lay on its side. Pixels of an image, points of a PDF. */
  width: number;
  height: number;
  text: string;
  words: Word[];
  quality: Quality;
}

export async function ocrPage({ script, ...source }: OcrPageInput): Promise<OcrPageOutput> {
  const { raster, scale } = await loadPage(source);
  const { upright, words, text, skewDegrees } = await recognisePage(raster, script);
  const toUnits = ([left, top, right, bottom]: Word['box']): Word['box'] => [
    left / scale,
    top / scale,
    right / scale,
    bottom / scale,
  ];
  return {
    width: upright.width / scale,
    height: upright.height / scale,
    text,
    words: words.map((word) => ({ ...word, box: toUnits(word.box) })),
    quality: qualityOfScan(upright, words, skewDegrees),
  };
}
