/**
 * Returns a host's object with other members. All other members are those of `target`, also inherited ones. `isBound`: its methods run on `target`,
 * because they read its private fields.
 */
export function overlaid<T extends object>(target: T, own: object, { isBound = false } = {}): T {
  return new Proxy(target, {
    get(given, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value: unknown = Reflect.get(given, name, given);
      return isBound && typeof value === 'function' && name !== 'constructor' ? value.bind(given) : value;
    },
    set: (given, name, value) => Reflect.set(given, name, value, given),
  });
}
