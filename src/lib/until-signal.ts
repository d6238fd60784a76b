/** Resolves with the first of these signals. A second one ends the process immediately. */
export function untilSignal(...signals: NodeJS.Signals[]): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let seen = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (seen) process.exit(130);
        seen = true;
        resolve(signal);
      });
    }
  });
}
