import { isPlaceholder } from './is-placeholder.ts';
import { isReference } from './is-reference.ts';
import { isVersion } from './is-version.ts';

const PROSE =
  /\b(?:a|an|and|are|as|at|be|by|can|cannot|de|does|enter|expired|for|forgot|from|has|in|incorrect|invalid|is|it|least|missing|must|new|no|not|of|or|please|provide|required|reset|should|the|this|to|too|use|was|with|wrong|you|your)\b/i;

/** Whether a value that was given to a password is one. Anything may be a password, so this asks only what it is not. */
export function isPasswordValue(value: string): boolean {
  if (isPlaceholder(value) || isReference(value) || isVersion(value)) return false;
  if (/^sha\d+-|^\[object /.test(value)) return false;
  return !/\s/.test(value) || (/\d/.test(value) && !PROSE.test(value));
}
