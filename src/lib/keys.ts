/** `Object.keys` with its type kept: for tables whose keys are the only list of names. */
export function keys<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
