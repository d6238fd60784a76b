import { S3ServiceException } from '@aws-sdk/client-s3';
import { BusyError, NotFoundError, SetupError, StorageRefusedError } from '../../errors.ts';
import { isNetworkOutage, storageUnavailable } from '../outage.ts';
import type { S3Settings } from './client.ts';

/** Runs an action on an object and translates errors of the SDK into ours. */
export async function translated<Result>(
  key: string,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (isMissing(error))
      throw new NotFoundError(`There is no object ${key} in storage`, { cause: error });
    if (isFull(error))
      throw Object.assign(
        new Error(`Storage is full: ${error.message}`, { cause: error }),
        noSpace,
      );
    if (isBusy(error))
      throw new BusyError(`Storage is busy: ${error.message}`, BUSY_MS, { cause: error });
    throw error;
  }
}

const BUSY_MS = 5_000;

/** The error code of a full disk. */
const noSpace = { code: 'ENOSPC' };

/** A missing bucket or upload does not mean that the object is missing. */
export function isMissing(error: unknown): boolean {
  const other = error instanceof Error && ['NoSuchBucket', 'NoSuchUpload'].includes(error.name);
  return httpStatus(error) === 404 && !other;
}

/** MinIO and other self-hosted servers answer 507 when their disks are full. */
function isFull(error: unknown): error is Error {
  return httpStatus(error) === 507;
}

function isBusy(error: unknown): error is Error {
  return [429, 503].includes(httpStatus(error));
}

export function httpStatus(error: unknown): number {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
}

type Explanation = (settings: S3Settings) => [sentence: string, hint: string];

const bucketMissing: Explanation = ({ bucket }) => [
  `The bucket ${bucket} does not exist`,
  'Create the bucket, or correct S3_BUCKET.',
];
const keyRefused: Explanation = () => [
  'Storage rejected the access key',
  'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the clock of this machine.',
];
const wrongRegion: Explanation = ({ bucket, region }) => [
  `The bucket ${bucket} is not in the region ${region}`,
  'Set AWS_REGION to the region of the bucket.',
];
const unreachable: Explanation = ({ endpoint, region }) => [
  `Storage does not answer at ${endpoint ?? `Amazon S3 in ${region}`}`,
  'Check S3_ENDPOINT, the network, and that the server is running.',
];

const explanations: Record<string, Explanation> = {
  NoSuchBucket: bucketMissing,
  InvalidBucketName: bucketMissing,
  InvalidAccessKeyId: keyRefused,
  SignatureDoesNotMatch: keyRefused,
  RequestTimeTooSkewed: keyRefused,
  InvalidToken: keyRefused,
  ExpiredToken: keyRefused,
  CredentialsProviderError: () => [
    'No credentials for storage were found',
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run with a role or profile that has them.',
  ],
  AccessDenied: ({ bucket }) => [
    `The access key may not use the bucket ${bucket}`,
    'Allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket on it.',
  ],
  PermanentRedirect: wrongRegion,
  AuthorizationHeaderMalformed: wrongRegion,
  TimeoutError: unreachable,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
};

/** Turns configuration errors into a SetupError with a hint; returns other errors unchanged. */
export function setupProblem(error: unknown, settings: S3Settings): unknown {
  const [sentence, hint] = explain(error, settings) ?? [];
  return sentence && hint ? new SetupError(sentence, hint, { cause: error }) : error;
}

/** For calls other than `check`: separates outages, which end by themselves, from refusals. */
export function translateProblem(error: unknown, settings: S3Settings): unknown {
  if (isOutage(error)) return storageUnavailable(error);
  const [sentence, hint] = explain(error, settings) ?? [];
  return sentence && hint ? new StorageRefusedError(sentence, hint, { cause: error }) : error;
}

/** 501: the server lacks the operation. 507: it is full, which is handled on its own. */
const otherFaults = [501, 507];

function isOutage(error: unknown): boolean {
  if (error instanceof BusyError || isNetworkOutage(error)) return true;
  const status = httpStatus(error);
  if (status >= 500 && !otherFaults.includes(status)) return true;
  // The SDK's own timeout. A DOMException is a signal of the caller.
  return (
    error instanceof Error && error.name === 'TimeoutError' && !(error instanceof DOMException)
  );
}

function explain(error: unknown, settings: S3Settings): ReturnType<Explanation> | undefined {
  if (!(error instanceof Error) || error instanceof SetupError) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  // The response to a HEAD request has no body that could name the error.
  const denied = [401, 403].includes(httpStatus(error)) ? explanations.AccessDenied : undefined;
  return (explanations[error.name] ?? explanations[code] ?? denied)?.(settings);
}
