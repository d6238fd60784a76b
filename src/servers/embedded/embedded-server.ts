/** A server that Millrace starts itself, on the loopback interface only. */
export interface EmbeddedServer {
  /** For the product at run time: with the password of a user that can do little else. */
  readonly url: string;
  /** For the user that can do everything: maintenance and tests. */
  readonly adminUrl: string;
  /** Name and version for people: "PostgreSQL 18.4". */
  readonly kind: string;
  /** Settles when the server has exited for any reason. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}
