/**
 * Returns whether a list of limits is looser than a previous one: a limit is removed, changed or has a higher `amount`. Limits added at the end are
 * stricter.
 */
export function loosens<T extends Readonly<Record<K, number>>, K extends string>(
  before: readonly T[],
  after: readonly T[],
  amount: K,
): boolean {
  const rest = (limit: T) => JSON.stringify({ ...limit, [amount]: 0 });
  return before.some((limit, at) => {
    const now = after[at];
    return !now || now[amount] > limit[amount] || rest(now) !== rest(limit);
  });
}
