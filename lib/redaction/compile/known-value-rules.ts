import { HooklineError } from '../../errors.ts';
import type { KnownValue } from '../redactor.ts';
import { isLabel } from './check-rule-fields.ts';
import { compileTree } from './compile-rule.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { encodedTrees } from './encoded-trees.ts';

const LEAST = 6;
const MOST = 16_384;
/** Of one UTF-16 unit, as bytes in hexadecimal digits: a stream can always wait for the longest form of a value. */
const LONGEST_FORM = 20;

/** Creates rules for configured secrets, in plain form and in all encodings. Throws `OPTIONS_INVALID` without the value. */
export function knownValueRules(known: readonly KnownValue[]): readonly CompiledRule[] {
  const issues = known.flatMap(({ label, value }, place) => {
    if (!isLabel(label)) return [`known[${place}]: its label is not 1 to 64 of A-Z a-z 0-9 . _ -`];
    const issue = checkValue(value);
    return issue === undefined ? [] : [`known[${place}] (${label}): ${issue}`];
  });
  if (issues.length > 0) throw new HooklineError('OPTIONS_INVALID', `redactor: ${issues.join('; ')}`);
  return known.flatMap(({ label, value }) =>
    encodedTrees(value).map((tree) =>
      compileTree({ id: label, literal: value, maxLength: LONGEST_FORM * MOST }, label, { tree, groups: 0 }),
    ),
  );
}

/** Values may be from an environment that lacks them, despite their type. */
function checkValue(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'its value is not a string';
  if (value.length < LEAST) return `it has fewer than ${LEAST} characters`;
  return value.length > MOST ? `it has more than ${MOST} characters` : undefined;
}
