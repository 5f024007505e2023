/** Members that name what another member holds. */
const NAMES =
  /^(?:name|key|k|n|id|field|fieldname|label|header|variable|var|env|param|parameter|property|prop|attribute|attr|option|flag|setting|title|element|selector|placeholder|column|path)$/i;
/** Members that hold what another member, or the member around them, names. */
const VALUES =
  /^(?:value|values|val|v|text|content|data|input|default|raw|plain|plaintext|string|_|\$t|#text|(?:string|default|plain|secret|new)_?(?:value|text))$/i;
/** Members that say which program is run, and with what. */
const PROGRAMS = /^(?:cmd|command|program|executable|exec|bin|binary|file|tool|path|shell)$/i;
const ARGUMENTS = /^(?:args|argv|arguments|params|parameters|options|flags)$/i;

/** Whether a member names what another member holds: `name`, `key`, `field`. */
export function namesOther(key: string): boolean {
  return NAMES.test(key);
}

/** Whether a member holds what another member, or the member around it, names: `value`, `text`. */
export function holdsValue(key: string): boolean {
  return VALUES.test(key);
}

/** `passwords` holds one password after the other. */
export function singularOf(name: string): string {
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name;
}

/** Whether a member says which program is run: `cmd`, `program`. */
export function namesProgram(key: string): boolean {
  return PROGRAMS.test(key);
}

/** Whether a member holds what a program is run with: `args`, `argv`. */
export function holdsArguments(key: string): boolean {
  return ARGUMENTS.test(key);
}
