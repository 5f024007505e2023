import { finder } from '../pattern/finder.ts';

const ROOTS =
  'process|os|env|import|System|ENV|secrets?|vars|config|configuration|settings|credentials?|self|this|cls|ctx|context|options|opts|props|params|args|req|request|res|response|event|data|state|vault|ssm|aws|keyring|std|var|local|module|inputs|steps|github|runner|matrix|needs';
/** A value that is looked up at run time. */
const isLookedUp = finder(
  /^\$(?:[A-Za-z_]\w*$|[{($]|\d$)|^%[A-Za-z_]\w*%|^%[sdv]$|^%\(\w+\)s|^@\w+@$|^![A-Z]\w+(?:$|\s)/,
  /^%(?:7B|5B)/i,
  /\$\{|\{\{|#\{|<%|\{%|\$\(|\[REDACTED|\{\d{0,2}\}/,
  new RegExp(`^\\(?!?(?:await )?(?:${ROOTS})(?:\\?\\.|!\\.|\\.|\\[|::|->)`),
  /^(?:op|vault|file|env|ref|ssm|secretsmanager|arn|keychain|projects):?(?:\/\/|[:+/])|^(?:https?|wss?|s3|gs):\/\//i,
  /^(?:~|\.{1,2})?[/\\](?:home|root|usr|var|tmp|etc|opt|run|mnt|srv|app|data|workspace|users|private|secrets|dev|proc|work|builds|bin|api|v\d)?(?:[/\\]|$)|^\.{1,2}[/\\]|^~[/\\]|^[A-Z]:\\/i,
);

/** Returns whether a value refers to a secret: `${X}`, `process.env.X`, `%VAR%`, `op://..`, a path, a URL. */
export function isReference(value: string): boolean {
  return isLookedUp(value);
}

// Most values after `password =` are code that reads a password, not the password. The patterns below are what such code looks like, one line per
// form. A value in quotes must be looked up (isReference); without quotes, any name in code counts too (isBareReference).

/** Names in code: a chain, a call, an index, a type, a constant, a variable with a number, a word. */
const isNamed = finder(
  /^[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[A-Za-z_$][\w$]*)+[?!;:]?$/,
  /^[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[A-Za-z_$][\w$]*)*[([]/,
  /^(?:(?:Big)?U?[Ii]nt|Float|Complex|Decimal|Utf|Base|Sha|Md|Http|OAuth|Ed|Aes|Rsa|[iuf])\d+(?:[A-Z][A-Za-z]*)?[\])}*&?;,]*$/,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /^[a-z_$]*(?:pass|password|passwd|pwd|secret|token|key|auth|cred|credential|value|val|str|string|arg|param|var|input|field|user|name|text|data|item|node|test)s?_?\d$/i,
  /^[a-z_$][A-Za-z_-]*[?!;.:*&]{0,2}$/,
  /^[A-Z][A-Za-z-]*[?!;.:*&]{0,2}$/,
  /^[A-Z][A-Z_]*[?!;.:*&]{0,2}$/,
  // The source of a pattern that searches for a secret.
  /\(\?[:=!<]|\[\^|\][+*{?]|\\[bdwsS]|\)[?*+]|\.[*+](?:$|\W)|\{\d{1,4}(?:,\d{0,4})?\}|^\/\^|\|[^|]*\|/,
  /^0x[0-9a-f]{1,16}[,;]?$|^[-+]?[\d.,]+\s?[a-z%]{0,3}$|^[-\d.,:%]{1,5}$|^\d{1,6}\/\d{1,6}$|^@[a-z_]+;?$/i,
);

/** Returns whether an unquoted value refers to a secret; without quotes, `config.password` and `newPassword` do too. */
export function isBareReference(value: string): boolean {
  return isReference(value) || isNamed(value);
}
