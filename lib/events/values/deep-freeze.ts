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

/** Freezes a member of an event; the items of a list are remembered one by one, so that a list of old and new ones costs the new. */
export function freezeMember<T>(member: T): T {
  if (typeof member !== 'object' || !Array.isArray(member)) return deepFreeze(member);
  if (known.has(member)) return member;
  for (const item of member) deepFreeze(item);
  return Object.freeze(member);
}

/** Freezes a list without walking it. Whoever calls this answers for it that `deepFreeze` has been given every item. */
export function freezeListOfFrozen<T>(list: readonly T[]): readonly T[] {
  known.add(list);
  return Object.freeze(list);
}

/** Freezes an event that the engine has made, member by member; one that is frozen it has frozen so before. */
export function freezeEvent<E extends object>(event: E): E {
  if (Object.isFrozen(event)) return event;
  for (const key in event) freezeMember(event[key]);
  return Object.freeze(event);
}

/** Whether `deepFreeze` has been given this very value. */
export function isDeepFrozen(value: object): boolean {
  return known.has(value);
}

// No skipping of what is frozen already: somebody else may have frozen the outside only.
function freezeTree<T extends object>(value: T): T {
  // The keys of an array would be made texts first.
  if (Array.isArray(value)) for (let place = 0; place < value.length; place++) freezeWithin(value[place]);
  else for (const key in value) freezeWithin(value[key]);
  return Object.freeze(value);
}

function freezeWithin(member: unknown): void {
  if (typeof member === 'object' && member !== null) freezeTree(member);
}
