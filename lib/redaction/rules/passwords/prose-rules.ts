import { isChosenValue } from '../../checks/is-chosen-value.ts';
import { isKeyValue } from '../../checks/is-key-value.ts';
import { assignedIfMade } from '../../checks/surroundings/assigned-if-made.ts';
import { isChance } from '../../checks/surroundings/is-chance.ts';
import { isExpression } from '../../checks/surroundings/is-expression.ts';
import type { Rule } from '../../compile/rule.ts';
import { sameInAnyCase } from './same-in-any-case.ts';
import { secretNames } from './secret-names.ts';

const OF =
  '(?:[ \\t](?:for|of|to|on|für|von|de|du|pour|para|от|для)(?:[ \\t](?:the|my|our|your|den|die|das|dem|der|la|le|el|los|las))?[ \\t][^\\s:：,;"\'`<>()]{1,32}){0,2}';
const IS = `(?:[ \\t](?:${sameInAnyCase(
  'is|was|will be|should be|has been changed to|has been set to|has been reset to|changed to|set to|reset to|to|equals|ist|este|lautet|war|est|était|es|é|è|era|=|:|-|–|—|→|->|=>',
)})(?:[: \\t]{1,3}|:?[ \\t]{0,4}\\r?\\n[ \\t]{0,4})(?:now[ \\t]|still[ \\t]|simply[ \\t])?|[ \\t]?[是为為：はがを는은가이]{1,2}[ \\t:：]{0,2}|:[ \\t]{1,3})`;
const VALUE_CHARACTER = '[^\\s"\'`,;.?<>()。，！、）」\\\\]';
/** The value excludes the end of a sentence, but includes text that continues. */
const VALUE = `(?:«[ \u00a0]?|["'\`“„‘「*]{0,3})(${VALUE_CHARACTER}{2,}(?:[,;.?()]{1,2}${VALUE_CHARACTER}+)*?)[,;.?()]{0,3}(?:[\\s"'\`“”*<。，！、）」です]|[ \u00a0]?»|입니다|$)`;

const rules: readonly Rule[] = [
  {
    id: 'password-in-prose',
    description: 'password in a sentence',
    pattern: new RegExp(`(?:${secretNames.passwords})${OF}${IS}${VALUE}`),
    check: isChosenValue,
  },
  {
    id: 'secret-in-prose',
    description: 'secret or key in a sentence',
    pattern: new RegExp(`(?:${secretNames.phrases}|${secretNames.secrets})${OF}${IS}${VALUE}`),
    check: (value) => isKeyValue(value) && isChosenValue(value),
  },
  {
    id: 'token-in-prose',
    description: 'token in a sentence',
    pattern: new RegExp(`(?:${secretNames.tokens})${OF}${IS}${VALUE}`),
    check: (value) => isKeyValue(value) && isChosenValue(value),
  },
  {
    id: 'password-before-its-name',
    description: 'password to use, in a sentence',
    pattern:
      /\buse[ \t]["'`]?([^\s"'`,;<>]{5,64})["'`]?[ \t]as[ \t](?:the|your|my|a|our)?[ \t]?(?:password|passphrase|pass|pwd)\b/i,
    check: isChosenValue,
  },
  {
    id: 'secret-before-its-name',
    description: 'secret or key to use, in a sentence',
    pattern:
      /\buse[ \t]["'`]?([^\s"'`,;<>]{8,128})["'`]?[ \t]as[ \t](?:(?:the|your|my|an|a|our)[ \t])?(?:api|access|secret|auth|bearer)?[ _-]?(?:key|token|secret)\b/i,
    check: (value) => isKeyValue(value) && isChosenValue(value),
  },
];

/** Secrets in sentences. A sentence is not an assignment, so a value must look like one. */
export const proseRules: readonly Rule[] = rules.map((rule) => ({
  confidence: assignedIfMade,
  ...rule,
  check: (value, sighting) =>
    (rule.check as (value: string) => boolean)(value) && !isChance(value, sighting) && !isExpression(value, sighting),
}));
