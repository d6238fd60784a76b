/** The result of a check. `fix` makes it a warning: Millrace runs, but something should change. */
export interface Finding {
  found: string;
  fix?: string;
}

export interface Check {
  name: string;
  /** Throws an error with a hint if Millrace cannot run like this. */
  run(): Promise<Finding>;
}
