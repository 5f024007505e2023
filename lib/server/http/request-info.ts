/** What is known of a request besides itself. */
export interface RequestInfo {
  /** Of the socket that it came by; failed logins are counted by it. */
  readonly address?: string | undefined;
  /** Ends the connection, of a client that takes nothing any more; without it its stream is broken off. */
  readonly hangUp?: (() => void) | undefined;
}
