/** Whether one letter added, dropped or changed turns `a` into `b`. */
export function withinOneEdit(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const rest = short.length === long.length ? at + 1 : at;
  return short.slice(rest) === long.slice(at + 1);
}
