import { HooklineError } from '../../errors.ts';
import type { Rule } from '../../redaction/compile/rule.ts';
import { createRedactor } from '../../redaction/create-redactor.ts';
import type { KnownValue, Redactor, RedactorOptions, TokenVault } from '../../redaction/redactor.ts';
import { rulesNamed } from '../../redaction/rules/rules-named.ts';

/** The options that define a redactor. */
export interface ScanRules {
  readonly redactor?: Redactor | undefined;
  readonly rules?: readonly string[] | undefined;
  readonly without: readonly string[];
  readonly extraRules: readonly Rule[];
  readonly known: readonly KnownValue[];
  readonly environment: readonly string[];
  readonly mode: NonNullable<RedactorOptions['mode']>;
  readonly key?: string | undefined;
  readonly vault?: TokenVault | undefined;
}

/** The shortest value that differs from ordinary words. */
const SHORTEST = 6;

/** The maximum number of redactors that hooks with equal options share. */
const MOST_SHARED = 16;

/** The last used one is last. The tables of a redactor take megabytes. */
const shared = new Map<string, Redactor>();

/** Returns the redactor for the options: the given one, or one of the selected rules and known values. */
export function scanRedactor({ redactor, rules, without, extraRules, mode, key, vault, ...more }: ScanRules): Redactor {
  if (redactor) return redactor;
  const known = [...more.known, ...more.environment.flatMap(fromEnvironment)];
  const left = rulesNamed(without);
  const own = rulesNamed(rules).filter((rule) => !left.includes(rule));
  const options = { mode, known, ...(key !== undefined && { key }), ...(vault && { vault }) };
  if (known.length + extraRules.length > 0 || vault) return createRedactor([...own, ...extraRules], options);
  const name = JSON.stringify([own.map(({ id }) => id), mode, key]);
  const made = shared.get(name) ?? createRedactor(own, options);
  shared.delete(name);
  shared.set(name, made);
  const [oldest] = shared.keys();
  if (shared.size > MOST_SHARED && oldest !== undefined) shared.delete(oldest);
  return made;
}

/** An unset variable contains no secret. */
function fromEnvironment(name: string): readonly KnownValue[] {
  const value = process.env[name];
  if (value === undefined || value === '') return [];
  if (value.length >= SHORTEST) return [{ label: name, value }];
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The options of hook "security-scan" are invalid: environment: the value of ${name} has fewer than ${SHORTEST} characters, which is too short to search for.`,
  );
}
