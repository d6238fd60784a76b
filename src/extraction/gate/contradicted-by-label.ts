import type { DocumentSchema } from '../../domain/schema/index.ts';
import { fold } from '../../lib/fold.ts';
import { findLabelledValues } from '../layout/labelled-values.ts';
import type { LayoutReading } from '../layout/layout-reading.ts';
import { isAmbiguous } from '../values/date.ts';

/** A value must be what stands at the labels that its field has, if they are printed, and the only such value. */
export function contradictedByLabel(
  name: string,
  value: unknown,
  fields: DocumentSchema['fields'],
  reading: LayoutReading,
): string | undefined {
  const labelled = findLabelledValues(name, fields, reading);
  const own = labelled.find((each) => isSame(each.value, value));
  const [first] = labelled;
  if (first && !own) return `is not what stands at its label, "${first.value}"`;
  if (fields[name]?.kind === 'date' && isUndecided(String(value), reading))
    return 'may have day and month swapped';
  const rival =
    own && labelled.find((each) => each.score >= own.score && !isSame(each.value, own.value));
  return rival && `may also be ${rival.value}`;
}

/** An extractor may leave out what else stands in the same place. */
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
