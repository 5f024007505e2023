import { HooklineError } from '../../errors.ts';
import type { DocumentKey, WriteCondition } from './document-store.ts';

/** Copies a key. A key that is empty or not a list of strings is `INPUT_INVALID`. */
export function checkKey(key: DocumentKey): DocumentKey {
  if (Array.isArray(key) && key.length > 0 && isTexts(key)) return [...key] as unknown as DocumentKey;
  throw wrong('A key', `a list of at least one text, such as ['configs', 'alice'], not ${shown(key)}`);
}

/** Copies a key prefix. Any value other than a list of strings is `INPUT_INVALID`. */
export function checkPrefix(prefix: readonly string[]): readonly string[] {
  if (Array.isArray(prefix) && isTexts(prefix)) return [...prefix];
  throw wrong('A prefix of keys', `a list of texts, [] for all, not ${shown(prefix)}`);
}

/** Returns the required revision, if any. Any value other than a non-negative integer is `INPUT_INVALID`. */
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
