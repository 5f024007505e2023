import { finder } from '../pattern/finder.ts';
import { entropy } from '../scan/entropy.ts';
import { wordShare } from './is-made.ts';
import { isPlaceholder } from './is-placeholder.ts';
import { isPublic } from './is-public.ts';
import { isReference } from './is-reference.ts';

const hasBoth = finder(/\d[\s\S]*[A-Za-z]|[A-Za-z][\s\S]*\d/);

/** Whether a value that was given to a token is one: made by a machine, so of mixed and many characters. */
export function isTokenValue(value: string): boolean {
  if (!hasBoth(value) || /\s/.test(value)) return false;
  if (isPlaceholder(value) || isReference(value) || isPublic(value)) return false;
  return entropy(value) >= 2.8 && wordShare(value) < 0.6;
}
