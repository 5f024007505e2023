/** What people write where a secret would stand, letter for letter. */
const WORDS = new Set(
  `access accesstoken any api apikey api-key api_key auth auto bar basic baz bearer bool boolean buffer bytes changeit changeme char
  client-secret client_secret contraseña cookie credential credentials default digest disabled empty enabled env false foo foobar header hidden
  include inherit input int jwt key keyring missing mypassword mysecret mytoken never nil no none null number oauth oauth2 object off omit on
  optional pass passphrase passwd password passwort plain private-key private_key prompt pwd read required same-origin secret secret-key secret_key
  secretkey secretvalue some string str test testing text token true undefined unknown unset user username void write xxx yes`.split(
    /\s+/,
  ),
);
const PARTS =
  /^(?:(?:access|admin|api|app|auth|aws|azure|gcp|github|bearer|client|csrf|current|db|database|header|id|key|login|my|name|new|old|pass|password|passwd|private|refresh|reset|secret|session|the|token|user|value|x)[-_ .]?){2,}$/i;
const PHRASES =
  /^(?:your|my|some|any|insert|enter|put|paste|add)[-_ ]|^your|change[-_ ]?(?:me|this|it)\b|replace[-_ ]?(?:me|this|with)|example|placeholder|dummy|redacted|not[-_ ]a[-_ ]|[-_ ]here$|goes[-_ ]here/i;
const BRACKETS = /^(?:<.*>|\[.*\]|\{.*\}|\(.*\)|\|.*\|)$/;
const MASKED = /\*{3}|•{3}|x{5}|X{5}|\.{3}$|…$|^(.)\1*$|^[-*.•_#xX]+$/;

/** Whether a value stands where a secret will: `changeme`, `<password>`, `your-api-key`, `****`, `[REDACTED:password]`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return (
    text === '' ||
    MASKED.test(text) ||
    WORDS.has(text.toLowerCase()) ||
    PHRASES.test(text) ||
    PARTS.test(text) ||
    BRACKETS.test(text)
  );
}
