/** Returns the result of a scan. If the scanner fails, its own error is dropped, because it may quote the secret. */
export function orScanFailure<T>(scan: () => T): T {
  try {
    return scan();
  } catch {
    throw new Error(
      'The scanner failed. Its error is withheld, because it may contain a secret. Test the redactor and the vault separately.',
    );
  }
}
