export interface HttpErrorOptions extends ErrorOptions {
  status: number;
  code: string;
  /** The same request may succeed later. */
  retryable?: boolean;
  hint?: string;
  headers?: Readonly<Record<string, string>>;
  /** Additional members of the problem document. */
  details?: Readonly<Record<string, unknown>>;
}

/** An error with its HTTP status and problem code, for cases that only the API has. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly options: HttpErrorOptions;
  constructor(message: string, options: HttpErrorOptions) {
    super(message, options);
    this.options = options;
  }
}
