/** The system's code of an error (ENOENT, ECONNREFUSED, …), empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** For `catch`: undefined where the file or its directory is not there. */
export function unlessMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
}
