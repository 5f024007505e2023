/** Only what is handed on again and again: a WeakSet takes longer to remember an object than it takes to freeze a dozen. */
const known = new WeakSet<object>();

/** Freezes JSON data in place, all the way down. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !known.has(value)) freezeTree(value);
  return value;
}

/**
 * Freezes a value that many events hold, a message of a conversation say, and remembers it: it is not walked again, however long the
 * conversation grows.
 */
export function freezeLasting<T extends object>(value: T): T {
  if (known.has(value)) return value;
  known.add(value);
  return freezeTree(value);
}

/** Freezes a field of an event; the items of a list are remembered one by one, so that a list of old and new ones costs the new. */
export function freezeField<T>(field: T): T {
  if (typeof field !== 'object' || !Array.isArray(field)) return deepFreeze(field);
  if (known.has(field)) return field;
  for (const item of field) if (typeof item === 'object' && item !== null) freezeLasting(item);
  return Object.freeze(field);
}

/** Freezes a list without walking it. Whoever calls this answers for it that `freezeLasting` has been given every item. */
export function freezeListOfFrozen<T>(list: readonly T[]): readonly T[] {
  known.add(list);
  return Object.freeze(list);
}

/** Freezes an event that the engine has made, field by field; one that is frozen it has frozen so before. */
export function freezeEvent<E extends object>(event: E): E {
  if (Object.isFrozen(event)) return event;
  for (const key in event) freezeField(event[key]);
  return Object.freeze(event);
}

/** Whether `freezeLasting` has been given this very value. */
export function isDeepFrozen(value: object): boolean {
  return known.has(value);
}

// No skipping of what is frozen already: somebody else may have frozen the outside only.
function freezeTree<T extends object>(value: T): T {
  // The keys of an array would be made texts first.
  if (Array.isArray(value)) for (let place = 0; place < value.length; place++) deepFreeze(value[place]);
  else for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
