/** Returns the rejection of the promise, which must reject. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const value = await promise.then(
    (fulfilled) => ({ fulfilled }),
    (error: Error) => error,
  );
  if (value instanceof Error) return value;
  throw new Error(`Nothing was thrown, but this was given: ${JSON.stringify(value)}`);
}
