/** Whether at most `limit` letters added, dropped or changed turn `a` into `b`. */
export function withinEdits(a: string, b: string, limit: number): boolean {
  if (a === b) return true;
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return false;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const [left, right] = [a.slice(at), b.slice(at)];
  return (
    withinEdits(left.slice(1), right.slice(1), limit - 1) ||
    withinEdits(left.slice(1), right, limit - 1) ||
    withinEdits(left, right.slice(1), limit - 1)
  );
}
