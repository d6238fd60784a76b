import { describe, expect, test } from 'vitest';
import { keys } from '../lib/keys.ts';
import {
  type BatchMove,
  type BatchState,
  batchMoves,
  batchStates,
  refusal,
  stateAfter,
} from './batch.ts';

/** A second copy of the table, by state, so that an accidental change fails. */
const legal = {
  open: 'fill>open account>open start>queued finish>open prioritise>open limit>open cancel>cancelling',
  queued:
    'fill>queued account>queued finish>queued prioritise>queued limit>queued activate>active pause>paused cancel>cancelling',
  active:
    'fill>active account>active finish>active prioritise>active limit>active pause>paused release>paused redrive>redriving unbalance>unbalanced complete>completed cancel>cancelling',
  redriving:
    'prioritise>redriving limit>redriving release>paused endRedrive>active cancel>cancelling',
  paused:
    'fill>paused account>paused finish>paused prioritise>paused limit>paused resume>queued cancel>cancelling',
  cancelling: 'endCancel>cancelled',
  unbalanced: 'account>unbalanced finish>unbalanced complete>completed cancel>cancelling',
  completed: '',
  cancelled: '',
} satisfies Record<BatchState, string>;

const cases = batchStates.flatMap((state) =>
  keys(batchMoves).map((move): [BatchState, BatchMove] => [state, move]),
);

describe('moves of a batch', () => {
  test.each(cases)('%s, %s', (state, move) => {
    const expected = new Map(
      legal[state].split(' ').map((pair) => pair.split('>') as [string, string]),
    ).get(move);
    expect(stateAfter(state, move)).toBe(expected);
  });

  test('that are refused say why', () => {
    expect(refusal('completed', 'cancel')).toBe('The batch cannot be cancelled: it is completed.');
    expect(refusal('cancelling', 'fill')).toBe(
      'The batch cannot take more documents: it is being cancelled.',
    );
  });
});
