/** Why a call to another system failed. */
export type OutgoingFault =
  /** The policy does not allow this address. */
  | 'FORBIDDEN'
  | 'UNREACHABLE'
  | 'BAD_CERTIFICATE'
  | 'TOO_SLOW'
  /** The response exceeds the size limit. */
  | 'TOO_LARGE'
  /** The response cannot be interpreted. */
  | 'BAD_ANSWER';

/** A call to another system without a usable response. Its message may be shown to users. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';
  readonly fault: OutgoingFault;
  constructor(fault: OutgoingFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

const tls =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;

/** Turns a network error into one with a readable message. */
export function outgoingError(error: unknown, host: string): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && error.name === 'TimeoutError')
    return new OutgoingError('TOO_SLOW', `${host} did not answer in time`, { cause: error });
  if (tls.test(code))
    return new OutgoingError(
      'BAD_CERTIFICATE',
      `The certificate of ${host} is not trusted (${code})`,
      {
        cause: error,
      },
    );
  return new OutgoingError(
    'UNREACHABLE',
    `${host} cannot be reached (${code || 'connection failed'})`,
    {
      cause: error,
    },
  );
}
