import { amounts } from './amounts.ts';
import { datesAndNumbers } from './dates-and-numbers.ts';
import { headings } from './headings.ts';
import { parties } from './parties.ts';
import { terms } from './terms.ts';

/** What documents call things, per language. The only place for words of a language besides stop words and months. */
export const vocabulary = { ...amounts, ...datesAndNumbers, ...parties, ...headings, ...terms };
