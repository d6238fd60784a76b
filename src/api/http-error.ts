export interface HttpErrorOptions extends ErrorOptions {
  status: number;
  code: string;
  /** The same request may succeed later. */
  retryable?: boolean;
  hint?: string;
  headers?: Readonly<Record<string, string>>;
  /** Further members of the answer. */
  details?: Readonly<Record<string, unknown>>;
}

/** A refusal that only HTTP knows. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly options: HttpErrorOptions;
  constructor(message: string, options: HttpErrorOptions) {
    super(message, options);
    this.options = options;
  }
}
