/** Facts about a request that `Request` does not contain. */
export interface RequestInfo {
  /** The address of the socket. Failed logins are counted per address. */
  readonly address?: string | undefined;
  /** Closes the connection of a client that stopped reading. Without it, the stream of the client fails. */
  readonly hangUp?: (() => void) | undefined;
}
