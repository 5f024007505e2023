import { finder } from '../pattern/finder.ts';

const isOneVersion = finder(/^[\^~<>=]{0,2}v?\d{1,5}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][\w.-]+)?$/);
const isPackage = finder(/^(?:workspace|npm|link|catalog|portal|patch|git\+\w+|github):/);

const STARTS = '0123456789v^~<>=| \t\r\n';

/** Whether a value is the version of a package, or a range of them: `"jsonwebtoken": "^9.0.2"`. */
export function isVersion(value: string): boolean {
  if (isPackage(value)) return true;
  // Most values are none: they are told by their first character.
  if (!STARTS.includes(value.charAt(0))) return false;
  const parts = value.split(/[\s|]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every(isOneVersion);
}
