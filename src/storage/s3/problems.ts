import { S3ServiceException } from '@aws-sdk/client-s3';
import { BusyError, NotFoundError, SetupError } from '../../errors.ts';
import type { S3Settings } from './client.ts';

/** Runs an action on an object, and says in our own errors what went wrong. */
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

/** As a disk would say it. */
const noSpace = { code: 'ENOSPC' };

/** A bucket or an upload that is missing is no missing object: the documents are not gone. */
export function isMissing(error: unknown): boolean {
  const other = error instanceof Error && ['NoSuchBucket', 'NoSuchUpload'].includes(error.name);
  return httpStatus(error) === 404 && !other;
}

/** What MinIO and others answer that store on disks of their own. */
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
  `There is no bucket ${bucket} in storage`,
  'Create the bucket, or correct S3_BUCKET.',
];
const keyRefused: Explanation = () => [
  'Storage does not accept the access key',
  'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the clock of this machine.',
];
const wrongRegion: Explanation = ({ bucket, region }) => [
  `The bucket ${bucket} is not in the region ${region}`,
  'Set AWS_REGION to the region of the bucket.',
];
const unreachable: Explanation = ({ endpoint, region }) => [
  `Storage does not answer at ${endpoint ?? `Amazon S3 in ${region}`}`,
  'Check S3_ENDPOINT, the network and whether the server runs.',
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
    'There are no credentials for storage',
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

/** What to tell the person who set storage up; errors that need no explanation come back as they are. */
export function setupProblem(error: unknown, settings: S3Settings): unknown {
  if (!(error instanceof Error) || error instanceof SetupError) return error;
  const code = 'code' in error ? String(error.code) : '';
  const explanation = explanations[error.name] ?? explanations[code];
  if (!explanation) return error;
  const [sentence, hint] = explanation(settings);
  return new SetupError(sentence, hint, { cause: error });
}
