/** The hint that the last reasoning of a run gets when it was interrupted gracefully. */
export const INTERRUPTED =
  'The user has interrupted. Without calling tools, say briefly what has been done so far and what remains.';
