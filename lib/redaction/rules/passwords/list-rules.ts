import { isMade } from '../../checks/is-made.ts';
import { isPlaceholder } from '../../checks/is-placeholder.ts';
import { isReference } from '../../checks/is-reference.ts';
import { itemsOf } from '../../checks/items-of.ts';
import type { Rule } from '../../compile/rule.ts';
import { secretNames } from './secret-names.ts';

const { passwords, secrets, tokens } = secretNames;
/** The same beginnings as in the assignment rules, so that all of them are matched together. */
const NAMES = { password: passwords, secret: secrets, token: tokens } as const;

const Q = '["\'`]';
const ITEM = '[^"\'`\\s]+';
const NEXT = `${Q}[ \\t]*,\\s*${Q}${ITEM}`;
const LINE = '[ \\t]*-[ \\t]+["\']?[^\\s"\'#][^\\s"\']*';
const NEXT_LINE = `["']?\\r?\\n${LINE}`;
/** Longer lists are tables of data; only the items after this number remain visible. */
const MOST_ITEMS = 64;

/** Returns the pattern of up to `MOST_ITEMS` more items, or none: a repetition could continue through sentences. */
function more(item: string): string {
  return Array.from({ length: MOST_ITEMS }).reduce<string>((rest) => `(?:${item}${rest}|)`, '');
}

const LIST = `[ \\t]{0,4}(?:[:=]|=>)[ \\t]{0,4}[\\[({]\\s*${Q}(${ITEM}${more(NEXT)})${Q}`;
const YAML = `:[ \\t]{0,4}\\r?\\n[ \\t]*-[ \\t]+["']?([^\\s"'#][^\\s"']*${more(NEXT_LINE)})`;

/** Lists of secrets, from their first item to their last: `passwords = ["..", ".."]`, and lines of YAML. */
export const listRules: readonly Rule[] = Object.entries(NAMES).map(([what, names]) => ({
  id: `listed-${what}`,
  description: `${what}s in a list`,
  pattern: new RegExp(`(?:${names})(?:e?s)?${Q}?(?:${LIST}|${YAML})`),
  check: isListed,
  confidence: 'assigned',
}));

/** Returns whether a list contains secrets. Words among its items are names, unless most of the other items are not. */
function isListed(list: string): boolean {
  const items = itemsOf(list);
  const made = items.filter((item) => isMade(item) && !isPlaceholder(item) && !isReference(item));
  return 2 * made.length >= items.length;
}
