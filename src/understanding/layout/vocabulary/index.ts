import { amounts } from './amounts.ts';
import { datesAndNumbers } from './dates-and-numbers.ts';
import { headings } from './headings.ts';
import { parties } from './parties.ts';
import { terms } from './terms.ts';

/**
 * Document terms by language. Apart from stop words and month names, this is the only place with
 * words of natural languages.
 */
export const vocabulary = { ...amounts, ...datesAndNumbers, ...parties, ...headings, ...terms };
