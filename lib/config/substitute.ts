import type { JsonValue } from '../events/values/json-value.ts';
import type { ConfigPath } from './source/source.ts';

/** What texts of a configuration may be filled with. */
export interface Substitution {
  /** The names that its `env` allows. */
  readonly allowed: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Leaves `${NAME}` alone where the name is not allowed, for a text that has variables of its own. */
  readonly lenient?: boolean;
  readonly refuse: (path: ConfigPath, message: string) => void;
  /** Told of what looks like a variable and is none. */
  readonly notice: (path: ConfigPath, message: string) => void;
}

/** What `${` begins otherwise than as a variable. */
const ODD = /(?<!\$)\$\{(?![A-Za-z_]\w*\})/;
const VARIABLE = /\$(\$\{)|\$\{([A-Za-z_]\w*)\}/g;

/** A copy of `value` with `${NAME}` in its texts filled in; `$${` is a `${`. */
export function substitute<T>(value: T, path: ConfigPath, by: Substitution): T {
  return fill(value as JsonValue, path, by) as T;
}

function fill(value: JsonValue | undefined, path: ConfigPath, by: Substitution): JsonValue | undefined {
  if (typeof value === 'string') return fillText(value, path, by);
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], by) as JsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, fill(member, [...path, key], by) as JsonValue]),
  );
}

function fillText(text: string, path: ConfigPath, { allowed, env, lenient, refuse, notice }: Substitution): string {
  if (!text.includes('${')) return text;
  if (!lenient && ODD.test(text))
    notice(
      path,
      `is taken as it is: "\${" does not begin a variable, as in "\${NAME}". Write "$\${" for the text itself.`,
    );
  return text.replace(VARIABLE, (whole, escaped: string | undefined, name: string) => {
    if (escaped) return lenient ? whole : escaped;
    if (!allowed.includes(name)) {
      if (!lenient) {
        refuse(
          path,
          `the variable ${name} is not allowed here; add "${name}" to "env", or write $\${${name}} for the text itself.`,
        );
      }
      return whole;
    }
    // `env` may be an object with a prototype, which has members of its own.
    const filled = Object.hasOwn(env, name) ? env[name] : undefined;
    if (filled === undefined) refuse(path, `the environment variable ${name} is not set.`);
    return filled ?? whole;
  });
}
