import { isPasswordValue } from '../../checks/is-password-value.ts';
import { isTokenValue } from '../../checks/is-token-value.ts';
import { assignedIfMade } from '../../checks/surroundings/assigned-if-made.ts';
import { isEcho } from '../../checks/surroundings/is-echo.ts';
import { isExpression } from '../../checks/surroundings/is-expression.ts';
import { isNamedUuid } from '../../checks/surroundings/is-named-id.ts';
import type { Allowance, Rule } from '../../compile/rule.ts';
import type { Sighting } from '../../compile/sighting.ts';

/** `DB_PASSWORD_MIN_LENGTH=12`: about a secret, not one. */
const ABOUT: Allowance = {
  target: 'match',
  pattern:
    /_(?:ALGORITHM|ARN|BUCKET|COUNT|ENABLED|ENDPOINT|EXPIRES|EXPIRY|FIELD|FILE|HASH|HEADER|HOST|ID|LENGTH|LIMIT|MAX|MIN|MODE|NAME|PATH|POLICY|PORT|PREFIX|REF|REGION|SIZE|TIMEOUT|TTL|TYPE|URI|URL|USER|VERSION)=/,
};
const TAIL_AND_VALUE = '(?:_[0-9A-Z]{1,16}){0,3}=["\']?([^\\s"\'`\\\\<>]{4,})';

/** Returns whether a value is neither an expression of code nor a constant that repeats its name. */
const isMentioned = (value: string, sighting: Sighting): boolean =>
  !isExpression(value, sighting) && !isEcho(value, sighting);

/** Lines of an environment: `DB_PASSWORD=..`, `export API_KEY=..`, `+STRIPE_KEY=..`. After a name in capitals, a word is also a value. */
export const envRules: readonly Rule[] = [
  {
    id: 'env-password',
    description: 'password or secret of an environment',
    pattern: new RegExp(
      `(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD|SECRET|API_?KEY|ACCESS_KEY|AUTH_KEY)${TAIL_AND_VALUE}`,
    ),
    allow: [ABOUT],
    check: (value, sighting) => isPasswordValue(value.replace(/[),;]{1,3}$/, '')) && isMentioned(value, sighting),
    confidence: assignedIfMade,
  },
  {
    id: 'env-token',
    description: 'token or key of an environment',
    pattern: new RegExp(`(?:TOKEN|\\bKEY|CREDENTIALS?|\\bAUTH|\\bDSN|\\bSALT)${TAIL_AND_VALUE}`),
    allow: [ABOUT],
    check: (value, sighting) => (isTokenValue(value) || isNamedUuid(value, sighting)) && isMentioned(value, sighting),
    confidence: assignedIfMade,
  },
];
