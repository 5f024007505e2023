import { finder } from '../pattern/finder.ts';

const isOneVersion = finder(/^[\^~<>=]{0,2}v?\d{1,5}(?:\.(?:\d{1,8}|[x*])){1,3}(?:[-+][\w.-]+)?$/);
const isPackage = finder(/^(?:workspace|npm|link|catalog|portal|patch|git\+\w+|github):/);

const STARTS = '0123456789v^~<>=| \t\r\n';

/** Returns whether a value is a version of a package, or a range of versions: `"jsonwebtoken": "^9.0.2"`. */
export function isVersion(value: string): boolean {
  if (isPackage(value)) return true;
  // The first character excludes most values.
  if (!STARTS.includes(value.charAt(0))) return false;
  const parts = value.split(/[\s|]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every(isOneVersion);
}
