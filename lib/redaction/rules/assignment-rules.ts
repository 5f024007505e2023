import { isBarePasswordValue } from '../checks/is-bare-password-value.ts';
import { isBareTokenValue } from '../checks/is-bare-token-value.ts';
import { isPasswordValue } from '../checks/is-password-value.ts';
import { isTokenValue } from '../checks/is-token-value.ts';
import type { Rule } from '../rule.ts';
import { assignmentPattern } from './assignment-pattern.ts';

/** Names of what people choose: the value may be anything. */
const PASSWORDS = 'password|passwd|passphrase|passwort|contraseña|密码|口令|_pass|\\bpass|_pwd|\\bpwd';
const SECRETS =
  'secret(?:[_-]?(?:access[_-]?)?key|[_-]?token)?|api[_-]?(?:key|secret|token)|access[_-]?(?:key|token)(?:[_-]?secret)?|auth[_-]?(?:key|token)|' +
  '(?:private|signing|encryption|master|jwt|hmac)[_-]?key|(?:refresh|bearer|session|bot)[_-]?token';
/** Names that mean other things as well: the value has to look like one. */
const TOKENS =
  'token|credentials?|(?:storage|account|service|session|deploy|shared|licen[cs]e)[_-]?key|\\b_?auth|[_-]key|\\bkey';

/** `name = value` in code, configuration, JSON and YAML. */
export const assignmentRules: readonly Rule[] = [
  {
    id: 'password',
    description: 'password in quotes',
    pattern: assignmentPattern.quoted(PASSWORDS),
    check: (value) => value.length >= 4 && isPasswordValue(value),
  },
  {
    id: 'secret',
    description: 'secret or API key in quotes',
    pattern: assignmentPattern.quoted(SECRETS),
    check: (value) => value.length >= 6 && isPasswordValue(value),
  },
  {
    id: 'token',
    description: 'token, key or credential in quotes',
    pattern: assignmentPattern.quoted(TOKENS),
    check: (value) => value.length >= 8 && isTokenValue(value),
  },
  {
    id: 'unquoted-password',
    description: 'password without quotes',
    pattern: assignmentPattern.bare(PASSWORDS, 4),
    check: isBarePasswordValue,
  },
  {
    id: 'unquoted-secret',
    description: 'secret or API key without quotes',
    pattern: assignmentPattern.bare(SECRETS, 6),
    check: isBarePasswordValue,
  },
  {
    id: 'unquoted-token',
    description: 'token, key or credential without quotes',
    pattern: assignmentPattern.bare(TOKENS, 8),
    check: isBareTokenValue,
  },
];
