import { isMade } from '../../checks/is-made.ts';
import { isPlaceholder } from '../../checks/is-placeholder.ts';
import { isReference } from '../../checks/is-reference.ts';
import type { Rule } from '../../compile/rule.ts';
import { secretNames } from './secret-names.ts';

const { passwords, secrets, tokens } = secretNames;
/** The same beginnings as the rules of assignments have, so that all of them are followed together. */
const NAMES = { password: passwords, secret: secrets, token: tokens } as const;

const ITEM = '["\'`][^"\'`\\s]{1,64}["\'`][ \\t]{0,4},\\s{0,16}';
const LINE = '[ \\t]{0,16}-[ \\t]{1,4}[^\\s]{1,64}\\r?\\n';
/** How many items may stand before one. A memory of the run knows those behind only where they were found elsewhere. */
const MOST_BEFORE = 2;

/** Items of lists, each behind those before it: `passwords = ["..", ".."]`, and lines of YAML. */
export const listRules: readonly Rule[] = Object.entries(NAMES).flatMap(([what, names]) =>
  Array.from({ length: MOST_BEFORE + 1 }, (_, before): Rule => {
    const list = `[ \\t]{0,4}(?:[:=]|=>)[ \\t]{0,4}[\\[({]\\s{0,16}${ITEM.repeat(before)}["'\`]([^"'\`\\s]{8,256})["'\`]`;
    const yaml = `:[ \\t]{0,4}\\r?\\n${LINE.repeat(before)}[ \\t]{0,16}-[ \\t]{1,4}["']?([^\\s"'#][^\\s"']{7,255})`;
    return {
      id: `listed-${what}-${before + 1}`,
      description: `${what} in a list`,
      pattern: new RegExp(`(?:${names})(?:e?s)?["'\`]?(?:${list}|${yaml})`),
      check: isListed,
      confidence: 'assigned',
    };
  }),
);

function isListed(value: string): boolean {
  return isMade(value) && !isPlaceholder(value) && !isReference(value);
}
