import { Option } from 'commander';
import { SECOND } from '../lib/time.ts';
import { positiveNumber } from './positive-number.ts';
import { defaultRetryMs } from './retrying.ts';

/** The option of commands that upload. */
export function retryFor(): Option {
  return new Option(
    '--retry-for <seconds>',
    'repeat a request for this long while the server is away or busy',
  )
    .argParser(positiveNumber)
    .default(defaultRetryMs / SECOND);
}
