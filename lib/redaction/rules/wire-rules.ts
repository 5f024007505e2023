import { isMade } from '../checks/is-made.ts';
import { isPasswordValue } from '../checks/is-password-value.ts';
import { isTokenValue } from '../checks/is-token-value.ts';
import { assignedIfMade } from '../checks/surroundings/assigned-if-made.ts';
import type { Rule } from '../compile/rule.ts';

/** An authentication scheme before a credential. */
const SCHEME = /[ \t"'`](?:bearer|basic|token|apikey|api-key|key|digest|negotiate|aws4-hmac-sha256)[ \t]/i;

/** `Digest username="..`: the parameters of a scheme. The secret in `Credential=` has its own rule. */
const PARAMETER =
  /^(?:credential|username|realm|nonce|uri|qop|nc|cnonce|response|opaque|algorithm|scope|error|oauth_\w+)=/i;
/** Words in a placeholder: `OAUTH-TOKEN`, `access_token_1`, `base64EncodedCredentials`. */
const NAME = /^(?:base64)?[A-Za-z_]+(?:[.-][A-Za-z_]+)*(?:[._-]?\d{1,2})?$/;

/** Credentials in network protocols: URLs, headers, web tokens. */
export const wireRules: readonly Rule[] = [
  {
    id: 'url-password',
    description: 'password of a URL',
    pattern: /:\/\/[^\s/:@"'`<>\\]{0,64}:([^\s/"'`<>\\]{1,128})@/,
    check: isPasswordValue,
    confidence: assignedIfMade,
  },
  {
    id: 'url-token',
    description: 'token in place of the user of a URL',
    pattern: /:\/\/([\w.~-]{20,255})@/,
    check: (value, { match, line }) =>
      isTokenValue(value) && !/enrtree$/.test(line.slice(0, line.length - match.length)),
    confidence: assignedIfMade,
  },
  {
    id: 'query-signature',
    description: 'signature, code or token in the query of a URL',
    pattern:
      /[?&#](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token|credential)|hmac|code|jwt|sid|session_?id|auth|key|ticket)=([\w.~%+/-]{16,}={0,2})/i,
    check: isTokenValue,
    confidence: assignedIfMade,
  },
  {
    id: 'authorization',
    description: 'Authorization header',
    pattern:
      /authorization\\?["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\?["'`]?(?:(?:bearer|basic|token|apikey|api-key|key|digest|negotiate|aws4-hmac-sha256)[ \t]{1,4})?([\w~+/=:-][\w.~+/=:-]{7,})/i,
    check: (value, { match }) =>
      isPasswordValue(value) &&
      !PARAMETER.test(value) &&
      (isMade(value) ? SCHEME.test(match) || isTokenValue(value) : SCHEME.test(match) && !NAME.test(value)),
    confidence: assignedIfMade,
  },
  {
    id: 'bearer-token',
    description: 'bearer token',
    pattern: /\bbearer[ \t]{1,4}([\w.~+/-]{16,}={0,2})/i,
    check: isTokenValue,
    confidence: assignedIfMade,
  },
  {
    id: 'jwt',
    description: 'JSON Web Token',
    pattern: /\beyJ[\w-]{8,}\.(?:ey[\w/+-]{10,}(?:\.[\w/+-]*={0,2})?|[\w-]*\.[\w-]{8,}(?:\.[\w-]{8,}\.[\w-]{8,})?)/,
  },
  {
    id: 'jwt-in-base64',
    description: 'JSON Web Token in base64',
    pattern: /\bZXlK[\w/+-]{40,}={0,2}/,
  },
];
