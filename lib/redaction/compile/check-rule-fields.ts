import type { Rule } from './rule.ts';
import { RuleError } from './rule-error.ts';

const MOST_LENGTH = 65_536;

/** Validates the fields of a rule and their combination, except its pattern. Throws a `RuleError`. */
export function checkRuleFields(rule: Rule): void {
  const { id, pattern, literal, secretGroup, keywords, entropy, maxLength, swallow } = rule;
  if (!isLabel(id)) throw new RuleError('its id is not fit for a marker', 'use 1 to 64 of A-Z a-z 0-9 . _ -');
  if ((pattern === undefined) === (literal === undefined)) {
    throw new RuleError('it has to have either a pattern or a literal', 'give one of the two');
  }
  if (literal === '') throw new RuleError('its literal is empty', 'give the secret');
  if (secretGroup !== undefined && !(Number.isInteger(secretGroup) && secretGroup >= 0)) {
    throw new RuleError('its secretGroup is not the number of a group', 'give a whole number from 0 on');
  }
  if (keywords?.some((keyword) => keyword === '')) {
    throw new RuleError('one of its keywords is empty', 'leave it out');
  }
  if (entropy !== undefined && !(entropy >= 0 && entropy <= 16)) {
    throw new RuleError('its entropy is not in bits a character', 'give a number from 0 to 16');
  }
  if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0 && maxLength <= MOST_LENGTH)) {
    throw new RuleError('its maxLength is out of range', `give a whole number from 1 to ${MOST_LENGTH}`);
  }
  if (swallow && (entropy !== undefined || rule.check || rule.allow?.length)) {
    throw new RuleError(
      'it swallows, so its secret is never seen as a whole, and entropy, check and allow have nothing to look at',
      'leave them out, or do not swallow',
    );
  }
}

/** Returns whether a text is valid in a marker. */
export function isLabel(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}
