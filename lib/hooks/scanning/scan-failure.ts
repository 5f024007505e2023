/** What a scanner's failure is called. Nothing of what it threw is kept: it may quote the very secret. */
export function scanFailure(): Error {
  return new Error(
    'The scanner failed. What it threw is not shown, for it may hold a secret; try the redactor and the vault alone.',
  );
}
