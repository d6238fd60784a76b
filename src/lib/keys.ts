/** `Object.keys` with its type kept, for tables that are their own list of names. */
export function keys<Key extends string>(table: Readonly<Record<Key, unknown>>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]];
}
