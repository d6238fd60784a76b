/** `done` resolves after `tell` was called this many times. */
export function countdown(count: number): { tell(): void; done: Promise<void> } {
  let left = count;
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    tell() {
      left -= 1;
      if (left === 0) finish();
    },
    done,
  };
}
