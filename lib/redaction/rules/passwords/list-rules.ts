import { isMade } from '../../checks/is-made.ts';
import { isPlaceholder } from '../../checks/is-placeholder.ts';
import { isReference } from '../../checks/is-reference.ts';
import type { Rule } from '../../compile/rule.ts';
import { secretNames } from './secret-names.ts';

const NAMES = `(?:${secretNames.passwords}|${secretNames.secrets}|${secretNames.tokens})(?:e?s)?["'\`]?`;
const ITEM = '["\'`][^"\'`\\s]{1,64}["\'`][ \\t]{0,4},\\s{0,16}';
const LINE = '[ \\t]{0,16}-[ \\t]{1,4}[^\\s]{1,64}\\r?\\n';
/** Of longer lists the first items are looked at; where one of them is found, the memory of a run knows nothing of the others. */
const MOST_BEFORE = 5;

/** Items of lists, each behind those before it: `passwords = ["..", ".."]`, and lines of YAML. */
export const listRules: readonly Rule[] = Array.from({ length: MOST_BEFORE + 1 }, (_, before): readonly Rule[] => [
  {
    id: `listed-secret-${before + 1}`,
    description: 'password, key or token in a list',
    pattern: new RegExp(
      `${NAMES}[ \\t]{0,4}(?:[:=]|=>)[ \\t]{0,4}[\\[({]\\s{0,16}${ITEM.repeat(before)}["'\`]([^"'\`\\s]{8,256})["'\`]`,
    ),
  },
  {
    id: `yaml-listed-secret-${before + 1}`,
    description: 'password, key or token in a list of YAML',
    pattern: new RegExp(
      `${NAMES}:[ \\t]{0,4}\\r?\\n${LINE.repeat(before)}[ \\t]{0,16}-[ \\t]{1,4}["']?([^\\s"'#][^\\s"']{7,255})`,
    ),
  },
])
  .flat()
  .map((rule): Rule => ({ ...rule, check: isListed, confidence: 'assigned' }));

function isListed(value: string): boolean {
  return isMade(value) && !isPlaceholder(value) && !isReference(value);
}
