/** A server that Millrace starts itself, on the loopback interface only. */
export interface EmbeddedServer {
  readonly url: string;
  /** Name and version for people: "PostgreSQL 18.4". */
  readonly kind: string;
  /** Settles when the server has exited for any reason. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}
