import { findHint } from '../domain/problem.ts';
import type { DeadLetter } from '../engine/dead-letters/index.ts';

/** The API representation of a dead letter: with what to do about it. */
export function letterJson(letter: DeadLetter) {
  return { ...letter, hint: findHint(letter.code) };
}
