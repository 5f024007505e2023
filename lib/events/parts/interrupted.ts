/** The hint for the last model step of a gracefully interrupted run. */
export const INTERRUPTED =
  'The user has interrupted. Without calling tools, say briefly what has been done so far and what remains.';
