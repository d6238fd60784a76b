import type { PageInput } from '../content/format.ts';
import { requireCapability } from '../content/index.ts';
import type { Quality, Rotation, Word } from '../domain/transcription.ts';
import { recognisePage } from './engine.ts';
import type { Script } from './models.ts';
import { qualityOfScan } from './quality.ts';

export interface OcrPageInput extends PageInput {
  script: Script;
}

export interface OcrPageOutput {
  /** Of the upright page. In pixels for images, in points for PDFs. */
  width: number;
  height: number;
  rotation?: Rotation;
  text: string;
  words: Word[];
  quality: Quality;
}

/** @param onLoaded Called when the page is drawn: what follows depends on its pixels only. */
export async function ocrPage(
  { script, ...source }: OcrPageInput,
  onLoaded: () => void,
): Promise<OcrPageOutput> {
  const loaded = await requireCapability(source.mediaType, 'pages')(source);
  onLoaded();
  const { upright, rotation, words, text, skewDegrees } = await recognisePage(
    loaded.raster,
    script,
  );
  const isTurned = upright.width !== loaded.raster.width;
  const [width, height] = isTurned ? [loaded.height, loaded.width] : [loaded.width, loaded.height];
  const [x, y] = [width / upright.width, height / upright.height];
  return {
    width,
    height,
    ...(rotation && { rotation }),
    text,
    words: words.map(({ box: [left, top, right, bottom], ...word }) => ({
      ...word,
      box: [left * x, top * y, right * x, bottom * y],
    })),
    quality: qualityOfScan(upright, words, skewDegrees),
  };
}
