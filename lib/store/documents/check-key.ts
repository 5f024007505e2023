import { HooklineError } from '../../errors.ts';
import type { DocumentKey, WriteCondition } from './document-store.ts';

/** A copy of a key; one that is no list of texts, or empty, is `INPUT_INVALID`. */
export function checkKey(key: DocumentKey): DocumentKey {
  if (Array.isArray(key) && key.length > 0 && isTexts(key)) return [...key] as unknown as DocumentKey;
  throw wrong('A key', `a list of at least one text, such as ['configs', 'alice'], not ${shown(key)}`);
}

/** A copy of a prefix of keys; anything but a list of texts is `INPUT_INVALID`. */
export function checkPrefix(prefix: readonly string[]): readonly string[] {
  if (Array.isArray(prefix) && isTexts(prefix)) return [...prefix];
  throw wrong('A prefix of keys', `a list of texts, [] for all, not ${shown(prefix)}`);
}

/** The revision that a document must have, if any; anything but a whole number from 0 is `INPUT_INVALID`. */
export function checkCondition({ ifRevision }: WriteCondition = {}): number | undefined {
  if (ifRevision === undefined || (Number.isSafeInteger(ifRevision) && ifRevision >= 0)) return ifRevision;
  throw wrong('ifRevision', `a whole number from 0, not ${shown(ifRevision)}`);
}

function isTexts(values: readonly unknown[]): boolean {
  return Array.from(values).every((value) => typeof value === 'string');
}

function wrong(what: string, expected: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `${what} of a document store must be ${expected}.`);
}

function shown(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((item) => typeof item).join(', ')}]` : String(value);
}
