/**
 * The effect of changing an option. A number `mayRise` or `mayFall`, a list `mayGrow` or `mayShrink`; the other direction
 * weakens. A function returns whether the change weakens.
 */
type ChangeRule<T> = 'mayRise' | 'mayFall' | 'mayGrow' | 'mayShrink' | ((before: T, after: T) => boolean);

/** Compares options one by one: each change weakens the hook, unless the option's rule allows it, or the option is `free`, which never weakens. */
export function weakensUnless<O extends object>(
  rules: NoInfer<{ readonly [K in keyof O]?: ChangeRule<O[K]> }>,
  free: readonly NoInfer<keyof O>[] = [],
) {
  return (before: O, after: O): boolean =>
    (Object.keys({ ...before, ...after }) as (keyof O)[]).some((name) => {
      const [was, now] = [before[name], after[name]];
      if (was === now || free.includes(name) || JSON.stringify(was) === JSON.stringify(now)) return false;
      const rule = rules[name] as ChangeRule<unknown> | undefined;
      return typeof rule === 'function' ? rule(was, now) : rule === undefined || !allows(rule, was, now);
    });
}

function allows(rule: Exclude<ChangeRule<unknown>, (...all: never) => unknown>, was: unknown, now: unknown): boolean {
  if (typeof was === 'number' && typeof now === 'number')
    return rule === 'mayRise' ? now > was : rule === 'mayFall' && now < was;
  if (!Array.isArray(was) || !Array.isArray(now)) return false;
  return rule === 'mayGrow' ? holds(now, was) : rule === 'mayShrink' && holds(was, now);
}

function holds(all: readonly unknown[], some: readonly unknown[]): boolean {
  const known = new Set(all.map(textOf));
  return some.every((one) => known.has(textOf(one)));
}

function textOf(value: unknown): string {
  return value instanceof RegExp ? String(value) : JSON.stringify(value);
}

/** For options that switch a feature on: only switching it off weakens. */
export function switchesOff(_: unknown, now: unknown): boolean {
  return now === false;
}
