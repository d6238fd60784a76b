/** A failing row does not stop the others; its error is thrown at the end. */
export async function forEach<T>(
  rows: readonly T[],
  work: (row: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const row of rows) await work(row).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
