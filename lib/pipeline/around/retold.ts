const firsts = new WeakMap<object, unknown>();

/** Marks `error` as `thrown` in other words: a wrapper that throws it instead passes the failure on, and is not to blame for it. */
export function retold<E extends Error>(error: E, thrown: unknown): E {
  firsts.set(error, thrown);
  return error;
}

/** What `thrown` is another wording of; nothing where it is none. */
export function firstTold(thrown: unknown): { readonly thrown: unknown } | undefined {
  if (typeof thrown !== 'object' || thrown === null || !firsts.has(thrown)) return undefined;
  return { thrown: firsts.get(thrown) };
}
