import { isChosenValue } from '../../checks/is-chosen-value.ts';
import { isMade } from '../../checks/is-made.ts';
import { isPasswordValue } from '../../checks/is-password-value.ts';
import { isBareReference } from '../../checks/is-reference.ts';
import { isTokenValue } from '../../checks/is-token-value.ts';
import { assignedIfMade } from '../../checks/surroundings/assigned-if-made.ts';
import type { Rule } from '../../compile/rule.ts';

const SECRET_FLAGS =
  'password|passwd|passphrase|pass|secret|token|api-?key|access-?key|secret-?key|client-?secret|auth-?token|access-?token|account-?key|bind-?pw';
const VALUE =
  '(?:\\\\?"([^"\\\\\\r\\n]{4,120})|\'([^\'\\r\\n]{4,120})|([^\\s"\'`\\\\<>()|;-][^\\s"\'`\\\\<>()|;]{3,}))';

const rules: readonly Rule[] = [
  {
    id: 'flag-secret',
    description: 'value of a flag such as --password',
    pattern: new RegExp(`--(?:${SECRET_FLAGS})[ =]${VALUE}`, 'i'),
    check: (value) => isPasswordValue(value) && !/^(?:id|type|src|source|name)=/.test(value),
  },
  {
    id: 'flag-named-secret',
    description: 'value of a flag such as --db-password',
    pattern: new RegExp(`-(?:password|passwd|secret|token|api-?key)[ =]${VALUE}`, 'i'),
    check: (value, { match }) =>
      /\d/.test(value) && isPasswordValue(value) && !/[{}]/.test(value) && (match.startsWith('-p') || isMade(value)),
  },
  {
    id: 'curl-user',
    description: 'password of curl -u user:password',
    pattern: /(?:--user|--proxy-user|\B-u)[ =]?["']?[\w.@+-]{1,64}:([^\s"'`\\:]{3,128})/,
    keywords: ['curl', 'wget', 'http'],
    check: (value) => !/^\d{1,5}$|[(){}]/.test(value) && isPasswordValue(value),
  },
  {
    id: 'netrc-password',
    description: 'password of a .netrc line',
    pattern: /\blogin[ \t]{1,4}\S{1,64}[ \t\r\n]{1,8}password[ \t]{1,4}(\S{3,128})/i,
    check: (value, { match }) =>
      isPasswordValue(value) && (!/login[ \t]+(?:with|by)/i.test(match) || isChosenValue(value)),
  },
  {
    id: 'sql-password',
    description: 'password in SQL',
    pattern:
      /(?:identified by|with password|encrypted password|set password(?:[ \t]for[ \t][^\s;]{1,80})?[ \t]?=)[ \t]{1,4}(?:password\()?["']([^"'\r\n]{3,128})/i,
    check: (value, { match }) => isPasswordValue(value) && (!/^identified/i.test(match) || isChosenValue(value)),
  },
  {
    id: 'braced-password',
    description: 'password in braces, as ODBC has it',
    pattern: /(?:;|\b)(?:pwd|password)[ \t]?=[ \t]?\{([^\r\n{}]{4,128})\}/i,
    check: (value) => isPasswordValue(value) && !isBareReference(value),
  },
  {
    id: 'session-cookie',
    description: 'session cookie',
    pattern:
      /(?:phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|session(?:[_-]?id)?|_session)=([\w%.:+/-]{16,512})/i,
    check: isTokenValue,
  },
];

/** Secrets on command lines, in files of logins and in SQL. */
export const commandRules: readonly Rule[] = rules.map((rule) => ({ confidence: assignedIfMade, ...rule }));
