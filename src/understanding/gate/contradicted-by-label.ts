import type { DocumentSchema } from '../../domain/schema/index.ts';
import { fold } from '../../lib/fold.ts';
import { findLabelledValues } from '../layout/labelled-values.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { isAmbiguous } from '../values/date.ts';

/**
 * If labels of the field are printed, the value must be printed at one of them, and no other value
 * may compete with it.
 */
export function contradictedByLabel(
  name: string,
  value: unknown,
  fields: DocumentSchema['fields'],
  reading: LayoutReading,
): string | undefined {
  const labelled = findLabelledValues(name, fields, reading);
  const own = labelled.find((each) => isSame(each.value, value));
  const [first] = labelled;
  if (first && !own) return `differs from the value printed at its label, "${first.value}"`;
  if (fields[name]?.kind === 'date' && isUndecided(String(value), reading))
    return 'may have day and month swapped';
  const rival =
    own && labelled.find((each) => each.score >= own.score && !isSame(each.value, own.value));
  return rival && `may also be ${rival.value}`;
}

/** An extractor may return only part of the text printed at the label. */
function isSame(printed: string | number, value: unknown): boolean {
  if (typeof printed === 'number') return Math.abs(printed - Number(value)) < 0.005;
  const folded = fold(String(value));
  return folded !== '' && fold(printed).includes(folded);
}

function isUndecided(value: string, { dates, dateOrder }: LayoutReading): boolean {
  const matches = dates.filter(({ match: { readings } }) =>
    Object.values(readings).includes(value),
  );
  return !dateOrder && matches.length > 0 && matches.every(({ match }) => isAmbiguous(match));
}
