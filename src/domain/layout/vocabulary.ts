import { amounts } from './vocabulary/amounts.ts';
import { datesAndNumbers } from './vocabulary/dates-and-numbers.ts';
import { headings } from './vocabulary/headings.ts';
import { parties } from './vocabulary/parties.ts';
import { terms } from './vocabulary/terms.ts';

/** What documents call things, per language. The only place for words of a language besides stop words and months. */
export const vocabulary = { ...amounts, ...datesAndNumbers, ...parties, ...headings, ...terms };
