import { finder } from '../pattern/finder.ts';
import { isLabel } from './is-label.ts';
import { isPlaceholder } from './is-placeholder.ts';
import { isVersion } from './is-public.ts';
import { isReference } from './is-reference.ts';

const isProse = finder(
  /\b(?:a|an|and|are|as|at|be|by|can|cannot|de|does|enter|expired|for|forgot|from|has|in|incorrect|invalid|is|it|least|missing|must|new|no|not|of|or|please|provide|required|reset|should|the|this|to|too|use|was|with|wrong|you|your)\b/i,
);
const isMachinery = finder(
  /^sha\d+-|^\[object |^0x[0-9a-f]{1,8}$/i,
  // Rules for input: `required|min:8`.
  /^(?:bail|confirmed|filled|nullable|optional|present|required|sometimes|string|(?:min|max|size|length):\d+)(?:\|[a-z_]+(?::[\w,.-]*)?)+$|^(?:min|max|size|length):\d+$/,
);

/** Returns whether a quoted value assigned to a password is one. Anything may be a password, so this only excludes values. */
export function isPasswordValue(value: string): boolean {
  if (isPlaceholder(value) || isReference(value) || isVersion(value) || isLabel(value) || isMachinery(value))
    return false;
  return !/\s/.test(value) || (/\d/.test(value) && !isProse(value));
}
