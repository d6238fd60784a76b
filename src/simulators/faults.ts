/** The fault to inject into the n-th call (from 0), if any. */
export type Faults<Fault> = (call: number) => Fault | undefined;

/** One fault per call, in order. Calls with `undefined`, or after the last fault, succeed. */
export function inOrder<Fault>(...faults: (Fault | undefined)[]): Faults<Fault> {
  return (call) => faults[call];
}
