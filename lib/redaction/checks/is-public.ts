import { isVersion } from './is-version.ts';

const DIGEST = /^(?:sha(?:1|224|256|384|512)|md5|blake\w{0,4})[-:]|^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;
const UUID = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a value of many digits is one that may be shown: a version, a digest, a UUID, a date. */
export function isPublic(value: string): boolean {
  return isVersion(value) || DIGEST.test(value) || UUID.test(value) || TIME.test(value);
}
