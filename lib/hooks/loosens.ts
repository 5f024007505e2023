/**
 * Whether a list of limits stops less than another one did: one is gone, has a higher `amount`, or says something else in its place. Further
 * ones behind them stop more.
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
