import { isPlaceholder } from '../checks/is-placeholder.ts';
import { assignedIfMade } from '../checks/surroundings/assigned-if-made.ts';
import type { Rule } from '../compile/rule.ts';
import type { Formats, KeyedFormat, TokenFormat } from './formats.ts';
import { shapePattern } from './shape-pattern.ts';

/** Below this entropy, a run of valid characters is `xxxx` or a hand-written example. */
const LEAST_ENTROPY = 2.5;

/** The text from the end of a service's name to the value: the rest of the name, one operator, quotes. Bounded, so that no stream waits for it. */
const ASSIGNMENT = '[ \\w.-]{0,24}[\\s"\'`\\\\\\]]{0,6}(?:\\|\\||\\?=|[=:,>(])[\\s"\'`\\\\=:>]{0,6}';
const END = '(?:[^\\w+/=-]|$)';

export function formatRules({ tokens, keyed }: Formats): readonly Rule[] {
  return [...tokens.map(tokenRule), ...keyed.map(keyedRule)];
}

/** A token that is too long is redacted as a whole; otherwise most of it would remain. */
const LAST_RUN = /<([dhHluawepsbtT])(\d+)(?:-\d*)?>$/;
const LAST_COUNT = /\{(\d+)(?:,\d+)?\}$/;

function tokenRule([id, description, shape, extras]: TokenFormat): Rule {
  return {
    id,
    description,
    // Created when it is read, because the package contains it compiled.
    get pattern() {
      return typeof shape === 'string'
        ? new RegExp(shapePattern(shape.replace(LAST_RUN, '<$1$2->')))
        : new RegExp(shape.source.replace(LAST_COUNT, '{$1,}'), shape.flags);
    },
    entropy: LEAST_ENTROPY,
    check: isReal,
    wraps: true,
    ...extras,
  };
}

function keyedRule([id, description, service, shape]: KeyedFormat): Rule {
  return {
    id,
    description,
    get pattern() {
      return new RegExp(`(?:${service})${ASSIGNMENT}(${shapePattern(shape)})${END}`, 'i');
    },
    secretGroup: 1,
    entropy: LEAST_ENTROPY,
    check: isRealWithDigit,
    confidence: assignedIfMade,
  };
}

/** A generated text of this length contains a digit, or letters of both cases. */
const LONG = 24;
const isReal = (secret: string): boolean =>
  !isPlaceholder(secret) &&
  (secret.length < LONG ||
    /\d/.test(secret) ||
    (/[a-z]/.test(secret) && /[A-Z]/.test(secret) && !/^\W*(?:\w{1,3}\W)+\w*$/.test(secret)));
// Without a digit it is a long word of the right length by coincidence.
const isRealWithDigit = (secret: string): boolean => /\d/.test(secret) && !isPlaceholder(secret);
