/** The system code of an error (ENOENT, ECONNREFUSED, …); empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** For `catch`: returns undefined if the file or its directory does not exist, else rethrows. */
export function unlessMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
}
