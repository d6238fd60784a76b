import { StorageUnavailableError } from '../errors.ts';
import { SECOND } from '../lib/time.ts';

const retryAfterMs = 5 * SECOND;

export function storageUnavailable(cause?: unknown): StorageUnavailableError {
  return new StorageUnavailableError('Storage is unavailable', retryAfterMs, { cause });
}

/** A network that fails, and a server that does not answer. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** A volume that was unmounted, remounted read-only, or whose disk or file server fails. */
const volumeCodes = new Set([
  'EIO',
  'ENODEV',
  'ENXIO',
  'ENOTCONN',
  'EREMOTEIO',
  'EROFS',
  'ESHUTDOWN',
  'ESTALE',
]);

export function isNetworkOutage(error: unknown): boolean {
  return hasCode(error, networkCodes);
}

export function isVolumeOutage(error: unknown): boolean {
  return hasCode(error, volumeCodes) || hasCode(error, networkCodes);
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && codes.has(code)) || hasCode(error.cause, codes);
}
