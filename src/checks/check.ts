/** What was found; `fix` says what to do where it is not as it should be, although everything runs. */
export interface Finding {
  found: string;
  fix?: string;
}

export interface Check {
  name: string;
  /** Throws with the reason, and a hint, when nothing can run like this. */
  run(): Promise<Finding>;
}
