/** A server that Millrace runs for itself, on the loopback interface only. */
export interface EmbeddedServer {
  readonly url: string;
  /** What runs, for people: "PostgreSQL 18.4". */
  readonly kind: string;
  /** Settles when the server has ended, asked or not. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}
