/** The job did not end in time; its process was killed. */
export class SandboxTimeoutError extends Error {
  override readonly name = 'SandboxTimeoutError';
  readonly timeoutMs: number;
  constructor(operation: string, timeoutMs: number) {
    super(`${operation} did not end within ${timeoutMs} ms and was killed`);
    this.timeoutMs = timeoutMs;
  }
}

export interface Death {
  signal: NodeJS.Signals | null;
  exitCode: number | null;
  outOfMemory: boolean;
  /** Whether it had taken up the job; if not, the job is not to blame. */
  begun: boolean;
  /** The last it said on stdout and stderr. */
  output: string;
}

/** The process died while it worked on the job. */
export class SandboxCrashError extends Error {
  override readonly name = 'SandboxCrashError';
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  readonly outOfMemory: boolean;
  readonly begun: boolean;
  readonly output: string;
  constructor(
    operation: string,
    { signal, exitCode, outOfMemory, begun, output }: Death,
    options?: ErrorOptions,
  ) {
    const how = outOfMemory
      ? 'ran out of memory'
      : signal
        ? `was ended by ${signal}`
        : `exited with code ${exitCode}`;
    super(`The process that ran ${operation} ${how}`, options);
    this.signal = signal;
    this.exitCode = exitCode;
    this.outOfMemory = outOfMemory;
    this.begun = begun;
    this.output = output;
  }
}

/** The sandbox was closed before the job ended. */
export class SandboxClosedError extends Error {
  override readonly name = 'SandboxClosedError';
  constructor() {
    super('The sandbox was closed before the job ended');
  }
}
