import type { JsonValue } from '../events/values/json-value.ts';
import type { ConfigPath } from './source/source.ts';

/** The variables that strings of a configuration may use. */
export interface Substitution {
  /** The variable names allowed by `env` of the configuration. */
  readonly allowed: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Keeps `${NAME}` unchanged if the name is not allowed. For strings with variables of their own. */
  readonly lenient?: boolean;
  readonly refuse: (path: ConfigPath, message: string) => void;
  /** Called for text that resembles a variable but is not one. */
  readonly notice: (path: ConfigPath, message: string) => void;
}

/** A `${` that does not begin a variable. */
const ODD = /(?<!\$)\$\{(?![A-Za-z_]\w*\})/;
const VARIABLE = /\$(\$\{)|\$\{([A-Za-z_]\w*)\}/g;

/** Returns a copy of `value` with `${NAME}` substituted in its strings. `$${` escapes `${`. */
export function substitute<T>(value: T, path: ConfigPath, by: Substitution): T {
  return fill(value as JsonValue, path, by) as T;
}

function fill(value: JsonValue | undefined, path: ConfigPath, by: Substitution): JsonValue | undefined {
  if (typeof value === 'string') return fillText(value, path, by);
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], by) as JsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, fill(field, [...path, key], by) as JsonValue]),
  );
}

function fillText(text: string, path: ConfigPath, { allowed, env, lenient, refuse, notice }: Substitution): string {
  if (!text.includes('${')) return text;
  if (!lenient && ODD.test(text))
    notice(
      path,
      `is plain text: "\${" does not start a variable such as "\${NAME}". Write "$\${" for a literal "\${".`,
    );
  return text.replace(VARIABLE, (whole, escaped: string | undefined, name: string) => {
    if (escaped) return lenient ? whole : escaped;
    if (!allowed.includes(name)) {
      if (!lenient) {
        refuse(
          path,
          `the variable ${name} is not in "env". Add "${name}" to "env", or write $\${${name}} for the literal text.`,
        );
      }
      return whole;
    }
    // `env` may have a prototype, whose fields are not variables.
    const filled = Object.hasOwn(env, name) ? env[name] : undefined;
    if (filled === undefined) refuse(path, `the environment variable ${name} is not set.`);
    return filled ?? whole;
  });
}
