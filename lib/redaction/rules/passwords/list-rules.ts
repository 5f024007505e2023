import { isBarePasswordValue } from '../../checks/is-bare-password-value.ts';
import { isChosenValue } from '../../checks/is-chosen-value.ts';
import { isMade } from '../../checks/is-made.ts';
import { isPlaceholder } from '../../checks/is-placeholder.ts';
import { isReference } from '../../checks/is-reference.ts';
import { itemsOf } from '../../checks/items-of.ts';
import type { Rule } from '../../compile/rule.ts';
import { entropy } from '../../scan/entropy.ts';
import { secretNames } from './secret-names.ts';

const { passwords, secrets, tokens } = secretNames;
/** The same beginnings as in the assignment rules, so that all of them are matched together. */
const NAMES = { password: passwords, secret: secrets, token: tokens } as const;

/** In bits per character. */
const LEAST_ENTROPY = 2.8;
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

const BARE = '[^\\s"\'`,;\\[\\](){}<>\\\\]+';
const FLOW = `(?:e?s)?${Q}?[ \\t]{0,4}[:=][ \\t]{0,4}\\[[ \\t]*(${BARE}${more(`,\\s*${BARE}`)})\\s*\\]`;
/** `PASSWORDS=a,b`. Behind a single name, a comma is part of the value. */
const JOINED = `[sS][ \\t]?[:=][ \\t]?["']?(${BARE}(?:,${BARE})+)(?:[\\s"';]|$)`;

/** Lists of secrets, from their first item to their last: `passwords = [".."]`, lines of YAML, `[a, b]`, `PASSWORDS=a,b`. */
export const listRules: readonly Rule[] = Object.entries(NAMES).flatMap(([what, names]): readonly Rule[] => [
  {
    id: `listed-${what}`,
    description: `${what}s in a list`,
    get pattern() {
      return new RegExp(`(?:${names})(?:e?s)?${Q}?(?:${LIST}|${YAML})`);
    },
    check: (list) => holdsMade(itemsOf(list)) || (what !== 'token' && itemsOf(list).every(isChosenValue)),
    confidence: ({ secret }) => (holdsMade(itemsOf(secret)) ? 'assigned' : 'guessed'),
  },
  {
    id: `unquoted-listed-${what}`,
    description: `${what}s in a list without quotes`,
    get pattern() {
      return new RegExp(`(?:${names})(?:${FLOW}|${JOINED})`);
    },
    check: (list) => holdsBare(itemsOf(list, true)) || (what !== 'token' && itemsOf(list, true).every(isChosenValue)),
    confidence: ({ secret }) => (holdsBare(itemsOf(secret, true)) ? 'assigned' : 'guessed'),
  },
]);

/** Returns whether a list contains secrets. Words among its items are names, unless most of the other items are not. */
function holdsMade(items: readonly string[]): boolean {
  const made = items.filter((item) => isMade(item) && !isPlaceholder(item) && !isReference(item));
  return 2 * made.length >= items.length;
}

/** Returns the same for items without quotes, which may be code. */
function holdsBare(items: readonly string[]): boolean {
  const made = items.filter((item) => isMade(item) && isBarePasswordValue(item) && entropy(item) >= LEAST_ENTROPY);
  return 2 * made.length >= items.length;
}
