/** Fields that name the content of another field. */
const NAMES =
  /^(?:name|key|k|n|id|field|fieldname|label|header|variable|var|env|param|parameter|property|prop|attribute|attr|option|flag|setting|title|element|selector|placeholder|column|path|question|prompt|type|kind)$/i;
/** Fields whose content another field, or the enclosing field, names. */
const VALUES =
  /^(?:value|values|val|v|text|content|data|input|default|raw|plain|plaintext|string|answer|response|reply|_|\$t|#text|(?:string|default|plain|secret|new)_?(?:value|text))$/i;
/** Fields that contain a program and its arguments. */
const PROGRAMS = /^(?:cmd|command|program|executable|exec|bin|binary|file|tool|path|shell)$/i;
const ARGUMENTS = /^(?:args|argv|arguments|params|parameters|options|flags)$/i;
/** Fields that contain secrets by the names of their owners. */
const SECRETS = /(?:passwords|passphrases|passwds|secrets|api_?keys)$/i;
/** Fields that contain a secret, or secrets in fields of any names. */
const SECRET = /(?:pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|private)[_-]?key)s?$/i;
/** Fields that describe a value, not contain it. */
const ABOUT =
  /^(?:\$\w+|id|\w*_id|type|kind|name|title|label|description|summary|hint|help|message|text|comment|pattern|regexp?|format|example|examples|placeholder|enum|version|model|algorithm|alg|hash|digest|sha\d*|checksum|etag|url|uri|href|link|path|file|filename|host|date|time|\w*(?:_at|At)|created|updated|expires|source|scope|scopes|issuer|region|arn)$/;
/** Fields that contain the names of the columns of a table. */
const COLUMNS = /^(?:columns?|column_?names|fields?|field_?names|headers?|header_?row|keys)$/i;

/** Whether a field names the content of another field: `name`, `key`, `field`. */
export function namesOther(key: string): boolean {
  return NAMES.test(key);
}

/** Whether another field, or the enclosing field, names the content of a field: `value`, `text`. */
export function holdsValue(key: string): boolean {
  return VALUES.test(key);
}

/** Returns a name without the quotes and brackets at its end: `input[name="password` for a selector. */
export function nameWithin(text: string): string {
  return text.replace(/[\])}"'?*\s]{1,8}$/, '');
}

/** `passwords` contains single passwords. */
export function singularOf(name: string): string {
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name;
}

/** Whether a field contains a program: `cmd`, `program`. */
export function namesProgram(key: string): boolean {
  return PROGRAMS.test(key);
}

/** Whether a field contains the arguments of a program: `args`, `argv`. */
export function holdsArguments(key: string): boolean {
  return ARGUMENTS.test(key);
}

/** Whether a field contains secrets by the names of their owners: `passwords`. */
export function holdsSecrets(key: string): boolean {
  return SECRETS.test(key);
}

/** Whether a field contains a secret, or secrets in fields of any names: `password`, `credentials`. */
export function namesSecret(key: string): boolean {
  return SECRET.test(key);
}

/** Whether a field describes a value: `pattern`, `url`, `createdAt`. */
export function describes(key: string): boolean {
  return ABOUT.test(key);
}

/** Whether a field contains the names of the columns of a table. */
export function namesColumns(key: string): boolean {
  return COLUMNS.test(key);
}
