/** `none` removes a limit. */
export const orNone = (parse: (text: string) => number) => (text: string) =>
  text === 'none' ? null : parse(text);

/** Commander replaces a parsed null by an empty text; this undoes it. */
export function nullIfNone<T extends object>(options: T): T {
  const entries = Object.entries(options);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === '' ? null : value]),
  ) as T;
}
