/** Creates the error for a failed scanner. It drops the original error, which may quote the secret. */
export function scanFailure(): Error {
  return new Error(
    'The scanner failed. Its error is withheld, because it may contain a secret. Test the redactor and the vault separately.',
  );
}
