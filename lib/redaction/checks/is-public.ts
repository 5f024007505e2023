import { finder } from '../pattern/finder.ts';

const isShown = finder(
  /^(?:sha(?:1|224|256|384|512)|md5|blake\w{0,4})[-:]|^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$|^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$|^(?:data|urn|did):|^ssh-(?:rsa|dss|ed25519)|^AAAA[BC]3Nza/i,
);
const isDigest = finder(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/i);

/** Returns whether a value with many digits may be shown: a version, a labelled digest, a UUID, a date, a public key. */
export function isPublic(value: string): boolean {
  return isVersion(value) || isShown(value);
}

/** Returns whether a value may be a digest, as of commits and files. */
export function isBareDigest(value: string): boolean {
  return isDigest(value);
}

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
