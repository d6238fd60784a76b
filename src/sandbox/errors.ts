/** The job exceeded its time limit; its process was killed. */
export class SandboxTimeoutError extends Error {
  override readonly name: string = 'SandboxTimeoutError';
  readonly timeoutMs: number;
  constructor(operation: string, timeoutMs: number) {
    super(`${operation} did not finish within ${timeoutMs} ms and was killed`);
    this.timeoutMs = timeoutMs;
  }
}

/** The job used more CPU time than it may; its process was killed. */
export class SandboxCpuError extends SandboxTimeoutError {
  override readonly name = 'SandboxCpuError';
  constructor(operation: string, cpuMs: number) {
    super(operation, cpuMs);
    this.message = `${operation} used more than ${cpuMs / 1000} s of CPU time and was killed`;
  }
}

export interface Death {
  signal: NodeJS.Signals | null;
  exitCode: number | null;
  outOfMemory: boolean;
  /** Whether the process had started the job; if not, the job did not cause the crash. */
  begun: boolean;
  /** The end of its stdout and stderr. */
  output: string;
}

/** The process died while working on the job. */
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
        ? `was killed by ${signal}`
        : `exited with code ${exitCode}`;
    super(`The process running ${operation} ${how}`, options);
    this.signal = signal;
    this.exitCode = exitCode;
    this.outOfMemory = outOfMemory;
    this.begun = begun;
    this.output = output;
  }
}

export class SandboxClosedError extends Error {
  override readonly name = 'SandboxClosedError';
  constructor() {
    super('The sandbox was closed before the job finished');
  }
}
