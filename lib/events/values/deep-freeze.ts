/** Contains only values that are reused often, because adding to a WeakSet takes longer than freezing a dozen objects. */
const known = new WeakSet<object>();

/** Deep-freezes JSON data in place. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !known.has(value)) freezeTree(value);
  return value;
}

/** Freezes a value that many events share, such as a message, and remembers it. It is not visited again, however long the conversation gets. */
export function freezeLasting<T extends object>(value: T): T {
  if (known.has(value)) return value;
  known.add(value);
  return freezeTree(value);
}

/** Freezes a field of an event. List items are remembered separately, so that only new items take time. */
export function freezeField<T>(field: T): T {
  if (typeof field !== 'object' || !Array.isArray(field)) return deepFreeze(field);
  if (known.has(field)) return field;
  for (const item of field) if (typeof item === 'object' && item !== null) freezeLasting(item);
  return Object.freeze(field);
}

/** Freezes a list without visiting its items. The caller must have passed every item to `freezeLasting`. */
export function freezeListOfFrozen<T>(list: readonly T[]): readonly T[] {
  known.add(list);
  return Object.freeze(list);
}

/** Freezes an event of the engine, field by field. An event that is already frozen was frozen here. */
export function freezeEvent<E extends object>(event: E): E {
  if (Object.isFrozen(event)) return event;
  for (const key in event) freezeField(event[key]);
  return Object.freeze(event);
}

/** Returns whether `freezeLasting` received this value. */
export function isDeepFrozen(value: object): boolean {
  return known.has(value);
}

// Frozen objects are not skipped, because other code may have frozen the outer level only.
function freezeTree<T extends object>(value: T): T {
  // Iterating over the keys of an array would convert them to text first.
  if (Array.isArray(value)) for (let place = 0; place < value.length; place++) deepFreeze(value[place]);
  else for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}
