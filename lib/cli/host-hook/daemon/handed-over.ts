/** What the client of a daemon leaves to this process, where that has to judge. */
export const handedOver: {
  /** The event, for stdin has been read. */
  input?: string;
  /** Why it must not be judged here: a daemon may have judged it before. */
  refused?: string;
  /** Why there can be no daemon. */
  told?: string;
  /** Where a daemon is missing. */
  place?: string;
} = {};
