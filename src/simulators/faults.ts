/** What goes wrong with the n-th call (from 0), if anything. */
export type Faults<Fault> = (call: number) => Fault | undefined;

/** One fault a call, in order; `undefined` lets a call through, and so does the end of the list. */
export function inOrder<Fault>(...faults: (Fault | undefined)[]): Faults<Fault> {
  return (call) => faults[call];
}
