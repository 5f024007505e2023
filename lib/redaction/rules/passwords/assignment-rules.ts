import { isBarePasswordValue } from '../../checks/is-bare-password-value.ts';
import { isChosenValue } from '../../checks/is-chosen-value.ts';
import { isKeyValue, isServiceKey } from '../../checks/is-key-value.ts';
import { isMade, wordShare } from '../../checks/is-made.ts';
import { isPasswordValue } from '../../checks/is-password-value.ts';
import { isBareTokenValue, isTokenValue } from '../../checks/is-token-value.ts';
import { isCommonPassword } from '../../checks/known-words.ts';
import { assignedIfMade } from '../../checks/surroundings/assigned-if-made.ts';
import { isChance } from '../../checks/surroundings/is-chance.ts';
import { isExpression } from '../../checks/surroundings/is-expression.ts';
import { isNamedUuid } from '../../checks/surroundings/is-named-id.ts';
import type { Allowance, Rule } from '../../compile/rule.ts';
import type { Sighting } from '../../compile/sighting.ts';
import { assignmentPattern } from './assignment-pattern.ts';
import { secretNames } from './secret-names.ts';

const { passwords, secrets, phrases, tokens, keys } = secretNames;

/** Keys that are public, or are names for a lookup. */
const PUBLIC_KEY: Allowance = {
  target: 'line',
  pattern:
    /(?:public|pub|primary|foreign|partition|sort|cache|object|s3|idempotency|row|group|hot|index|unique|sort|publishable|site|host|known|lookup|route|routing|event|translation|i18n|item|map|dict|hash|range|message|deduplication|fingerprint)[_-]?key["'`\]]{0,2}[ \t]{0,24}[:=]>?[ \t]{0,24}["'`]?[^\s"'`]*[\s,;)}\]]?$/i,
};

/** A comment that documents something contains an example, unless the value looks like more than a word. */
const EXAMPLE: Allowance = { target: 'line', pattern: /^[ \t]*\*[ \t].*["'`][A-Za-z-]+$/ };

/** `define('DB_PASSWORD', 'x')`: functions that assign a value to a name. */
const SETTER = /(?:define|set|put|env|property|config)[A-Za-z]{0,16}\(\s?["'`]?[\w$-]*$/i;

/** `["token_secret", "getTokenSecret2"]`: the text after a comma is the next item of a list, unless it can only be a secret. */
const fromComma = (value: string, { match, line }: Sighting): boolean =>
  !isMade(value) &&
  /,\s*["'`]$/.test(match.slice(0, match.lastIndexOf(value))) &&
  !SETTER.test(line.slice(0, line.length - match.length).slice(-64));
const fromList = (value: string, sighting: Sighting): boolean =>
  fromComma(value, sighting) || (wordShare(value) >= 0.6 && !isMade(value));

/** `name = value` in code, configuration, JSON and YAML. */
const rules: readonly Rule[] = [
  {
    id: 'password',
    description: 'password in quotes',
    pattern: assignmentPattern.quoted(passwords),
    allow: [EXAMPLE],
    check: (value) => value.length >= 4 && isPasswordValue(value),
  },
  {
    id: 'secret',
    description: 'secret or API key in quotes',
    pattern: assignmentPattern.quoted(secrets),
    allow: [EXAMPLE],
    check: (value) => value.length >= 6 && isPasswordValue(value),
  },
  {
    id: 'token',
    description: 'token or credential in quotes',
    pattern: assignmentPattern.quoted(tokens),
    check: (value, sighting) => value.length >= 8 && (isTokenValue(value) || isNamedUuid(value, sighting)),
  },
  {
    id: 'key',
    description: 'key in quotes',
    pattern: assignmentPattern.quoted(keys),
    allow: [PUBLIC_KEY],
    check: (value) => isMade(value) && isKeyValue(value),
  },
  {
    id: 'unquoted-password',
    description: 'password without quotes',
    pattern: assignmentPattern.bare(passwords),
    check: (value) => value.length >= 4 && isBarePasswordValue(value),
  },
  {
    id: 'unquoted-secret',
    description: 'secret or API key without quotes',
    pattern: assignmentPattern.bare(secrets),
    check: (value) => value.length >= 6 && isBarePasswordValue(value),
  },
  {
    id: 'unquoted-token',
    description: 'token or credential without quotes',
    pattern: assignmentPattern.bare(tokens),
    check: (value, sighting) => value.length >= 8 && (isBareTokenValue(value) || isNamedUuid(value, sighting)),
  },
  {
    id: 'unquoted-key',
    description: 'key without quotes',
    pattern: assignmentPattern.bare(keys),
    allow: [PUBLIC_KEY],
    check: (value) => isMade(value) && isKeyValue(value) && isBareTokenValue(value),
  },
  {
    id: 'password-argument',
    description: 'password in quotes behind its name',
    pattern: assignmentPattern.argument(passwords),
    check: (value, sighting) => isChosenValue(value) && !fromComma(value, sighting),
    confidence: 'guessed',
  },
  {
    id: 'secret-argument',
    description: 'secret or API key in quotes behind its name',
    pattern: assignmentPattern.argument(secrets),
    check: (value, sighting) => value.length >= 8 && isChosenValue(value) && !fromList(value, sighting),
    confidence: 'guessed',
  },
  {
    id: 'token-argument',
    description: 'token or key in quotes behind its name',
    pattern: assignmentPattern.argument(`${tokens}|${keys}`),
    allow: [PUBLIC_KEY],
    check: (value) => isMade(value) && isKeyValue(value),
    confidence: 'guessed',
  },
  {
    id: 'next-password',
    description: 'password in the next line or column',
    pattern: assignmentPattern.next(passwords),
    check: isChosenValue,
  },
  {
    id: 'next-secret',
    description: 'secret or API key in the next line or column',
    pattern: assignmentPattern.next(secrets),
    check: (value) => value.length >= 8 && isChosenValue(value),
  },
  {
    id: 'password-word',
    description: 'password that is the next word',
    pattern: assignmentPattern.word(passwords),
    check: (value) => !isCommonPassword(value) && isChosenValue(value),
  },
  {
    id: 'secret-word',
    description: 'secret or API key that is the next word',
    pattern: assignmentPattern.word(`${phrases}|${secrets}`),
    check: (value) => value.length >= 8 && isKeyValue(value) && isChosenValue(value),
  },
  {
    id: 'token-word',
    description: 'token that is the next word',
    pattern: assignmentPattern.word(tokens),
    check: (value) => isKeyValue(value) && isChosenValue(value),
  },
  {
    id: 'key-word',
    description: 'key that is the next word behind the name of a service',
    pattern: assignmentPattern.word(keys),
    check: (value, sighting) => isServiceKey(value, sighting) && isChosenValue(value),
    confidence: 'guessed',
  },
  {
    id: 'value-before-its-name',
    description: 'password or secret before its name in JSON',
    pattern: new RegExp(
      `"[vV]alue"\\s{0,4}:\\s{0,4}"([^"\\\\\\s]{5,256})"\\s{0,4},\\s{0,24}"(?:[nN]ame|[kK]ey|[iI]d|[vV]ariable)"\\s{0,4}:\\s{0,4}"[\\w.-]{0,48}(?:${passwords}|${secrets}|${tokens})`,
    ),
    check: isChosenValue,
  },
];

const isBare = ({ id }: Rule): boolean => /^unquoted-|^next-|-word$/.test(id);

/** All of them exclude coincidental values; for unquoted values, also expressions of code. */
export const assignmentRules: readonly Rule[] = rules.map((rule) => ({
  confidence: assignedIfMade,
  ...rule,
  check: (value, sighting) =>
    (rule.check as (value: string, sighting: Sighting) => boolean)(value, sighting) &&
    !isChance(value, sighting) &&
    !(isBare(rule) && isExpression(value, sighting)),
}));
