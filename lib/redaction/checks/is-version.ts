const VERSION = /^(?:[\^~<>=]{0,2}v?\d{1,5}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][\w.-]+)?[\s|]*)+$/;
const PACKAGE = /^(?:workspace|npm|link|catalog|portal|patch|git\+\w+|github):/;

/** Whether a value is the version of a package: `"jsonwebtoken": "^9.0.2"`. */
export function isVersion(value: string): boolean {
  return VERSION.test(value) || PACKAGE.test(value);
}
