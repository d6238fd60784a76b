/**
 * An object with further or other members than the base. Unlike a spread it copies nothing: the
 * members of the base are inherited. So it is cheap for a large base, but a spread of the result
 * has only the members given here.
 */
export function overlay<Base extends object, Members extends object>(
  base: Base,
  members: Members,
): Omit<Base, keyof Members> & Members {
  return Object.assign(Object.create(base), members);
}
