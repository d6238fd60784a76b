/** The median of several rounds, with minimum and maximum. */
export interface Summary {
  median: number;
  least: number;
  most: number;
}

/** Each bound is optional. */
export interface Target {
  atLeast?: number;
  atMost?: number;
}

/** One row of the table. */
export interface Figure {
  what: string;
  unit: string;
  ours: Summary;
  against?: string | undefined;
  theirs?: Summary | undefined;
  /**
   * Our value divided by theirs, per round: whatever slows the machine for a while affects both.
   */
  ratio?: Summary | undefined;
  target?: Target | undefined;
}

export function summarize(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}

/** A quantile of sorted numbers, with linear interpolation. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below, above] = [
    sorted[Math.floor(place)] ?? Number.NaN,
    sorted[Math.ceil(place)] ?? Number.NaN,
  ];
  return below + (above - below) * (place - Math.floor(place));
}

export function single(what: string, unit: string, value: number, target?: Target): Figure {
  return { what, unit, ours: summarize([value]), target };
}

type Comparison = Pick<Figure, 'what' | 'unit' | 'against' | 'target'>;

export function compare(
  comparison: Comparison,
  ours: readonly number[],
  theirs: readonly number[],
): Figure {
  const ratios = ours.map((value, i) => value / (theirs[i] ?? Number.NaN));
  return {
    ...comparison,
    ours: summarize(ours),
    theirs: summarize(theirs),
    ratio: summarize(ratios),
  };
}

/** The value the target applies to: the ratio if there is a peer, otherwise the figure itself. */
export function judged({ ratio, ours }: Figure): number {
  return (ratio ?? ours).median;
}

export function missed(figure: Figure): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } =
    figure.target ?? {};
  return !(judged(figure) >= atLeast && judged(figure) <= atMost);
}
