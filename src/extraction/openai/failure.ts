import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { BusyError, PermanentError, SetupError } from '../../errors.ts';
import { retryAfterMs } from '../../providers/retry-after.ts';

/** A quota is refilled by a person or by the next billing period, not within a minute. */
const QUOTA_WAIT_MS = 60 * 60_000;
const HINT =
  'Check OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL, and that the account may use the model.';

/** Maps a vendor error to the next step: reject the document, wait, or retry (the default). */
export function toFailure(error: unknown): Error {
  if (error instanceof APIConnectionTimeoutError)
    return new Error('The model did not answer in time.', { cause: error });
  if (error instanceof APIConnectionError)
    return new Error(`The model cannot be reached: ${rootOf(error)}`, { cause: error });
  if (!(error instanceof APIError) || error.status === undefined) {
    const words = error instanceof Error ? error.message : String(error);
    return new Error(`The response of the model could not be read: ${words}`, { cause: error });
  }
  return byStatus[error.status]?.(error) ?? otherwise(error, error.status);
}

/** Whether the server rejects the response format rather than the document. */
export function refusesFormat(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.status === 400 || error.status === 422) &&
    /response_format|json_schema|json_object|structured output/i.test(
      `${error.param} ${error.message}`,
    )
  );
}

/** Some servers apply their content policy to the request, which is also a refusal. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof APIError &&
    (error.code === 'content_filter' || error.code === 'content_policy_violation')
  );
}

const byStatus: Record<number, (error: APIError) => Error | undefined> = {
  // The vendor's message is left out because it quotes parts of the key.
  401: () => new SetupError('The model provider rejected the API key.', HINT),
  403: () => new SetupError('The API key has no access to the model.', HINT),
  404: (error) => new SetupError(`The model or its URL does not exist: ${wordsOf(error)}`, HINT),
  408: (error) => new Error(`The model timed out: ${wordsOf(error)}`),
  409: (error) => new Error(`The model provider reported a conflict: ${wordsOf(error)}`),
  429: throttled,
  /** With `retry-after` this is throttling. Without it, it is an outage and counts as a failure. */
  503: (error) => (error.headers?.has('retry-after') ? throttled(error) : undefined),
};

function throttled(error: APIError): BusyError {
  if (error.code === 'insufficient_quota' || error.type === 'insufficient_quota') {
    return new BusyError(
      `The quota of the model's account is used up: ${wordsOf(error)}`,
      QUOTA_WAIT_MS,
    );
  }
  return new BusyError(
    `The model is busy: ${wordsOf(error)}`,
    retryAfterMs((name) => error.headers?.get(name)),
  );
}

function otherwise(error: APIError, status: number): Error {
  const message = `The model answered ${status}: ${wordsOf(error)}`;
  return status >= 400 && status < 500
    ? new PermanentError('PROVIDER_REFUSED', message)
    : new Error(message);
}

function wordsOf(error: APIError): string {
  return error.message.replace(/\s+/g, ' ').slice(0, 300);
}

function rootOf(error: Error): string {
  return error.cause instanceof Error ? rootOf(error.cause) : error.message;
}
