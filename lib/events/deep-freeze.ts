const known = new WeakSet<object>();

/**
 * Freezes JSON data in place, all the way down, and remembers it: what this function has been given before is not walked again, however
 * long a conversation grows.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || known.has(value)) return value;
  known.add(value);
  return freezeTree(value);
}

/** Freezes an event: its members, and the items of those that are lists, are remembered one by one. */
export function freezeEvent<E extends object>(event: E): E {
  for (const key in event) {
    const member = event[key];
    if (typeof member !== 'object' || member === null) continue;
    if (Array.isArray(member)) {
      for (const item of member) deepFreeze(item);
      Object.freeze(member);
    } else deepFreeze(member);
  }
  return Object.freeze(event);
}

/** Whether `deepFreeze` has been given this very value. */
export function isDeepFrozen(value: object): boolean {
  return known.has(value);
}

function freezeTree<T extends object>(value: T): T {
  for (const key in value) {
    const member = value[key];
    // No skipping of what is frozen already: somebody else may have frozen the outside only.
    if (typeof member === 'object' && member !== null) freezeTree(member);
  }
  return Object.freeze(value);
}
