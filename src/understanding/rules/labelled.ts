import type { DocumentSchema } from '../../domain/schema/index.ts';
import { findLabelledValues } from '../layout/labelled-values.ts';
import { toEvidence } from '../layout/line.ts';
import type { Finder } from './found.ts';

/** Reads a field by the labels in its schema. */
export function findLabelled(name: string, fields: DocumentSchema['fields']): Finder {
  return (reading) => {
    const [best] = findLabelledValues(name, fields, reading);
    return best && { value: best.value, evidence: toEvidence(best.line, best), score: best.score };
  };
}
