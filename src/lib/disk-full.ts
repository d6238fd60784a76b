const codes = new Set<unknown>(['ENOSPC', 'EDQUOT']);

/** Whether something failed because there was no space left to write it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && codes.has(error.code)) || isDiskFull(error.cause);
}
