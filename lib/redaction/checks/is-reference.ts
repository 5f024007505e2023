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
