const frozen = new WeakSet<object>();

/** Freezes JSON data in place, all the way down. What this function has frozen before is not walked again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  frozen.add(value);
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}

/** Whether `deepFreeze` has frozen this very value. */
export function isDeepFrozen(value: object): boolean {
  return frozen.has(value);
}
