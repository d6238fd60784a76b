export interface Glyph {
  text: string;
  confidence: number;
  /** Centre of the glyph, as a pixel column of the crop. */
  column: number;
}

interface Scores {
  data: Float32Array;
  steps: number;
  classes: number;
}

/** Greedy CTC decoding: the best class per time step, with repeats and blanks removed. */
export function decodeCtc(
  { data, steps, classes }: Scores,
  alphabet: readonly string[],
  columnsPerStep: number,
): Glyph[] {
  const glyphs: Glyph[] = [];
  let previous = 0;
  for (let step = 0; step < steps; step += 1) {
    const offset = step * classes;
    let best = 0;
    for (let c = 1; c < classes; c += 1)
      if ((data[offset + c] ?? 0) > (data[offset + best] ?? 0)) best = c;
    const confidence = data[offset + best] ?? 0;
    const last = glyphs.at(-1);
    if (best !== 0 && best === previous && last)
      last.confidence = Math.max(last.confidence, confidence);
    else if (best !== 0)
      glyphs.push({
        text: alphabet[best] ?? '',
        confidence,
        column: (step + 0.5) * columnsPerStep,
      });
    previous = best;
  }
  return glyphs;
}

/** Mean confidence of the glyphs. */
export const averageSureness = (glyphs: readonly Glyph[]): number =>
  glyphs.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, glyphs.length);
