import type { Rule } from './rule.ts';
import { RuleFault } from './rule-fault.ts';

const MOST_LENGTH = 65_536;

/** Refuses a rule whose members are wrong or do not go together, its pattern aside. Throws a `RuleFault`. */
export function vetMembers(rule: Rule): void {
  const { id, pattern, literal, secretGroup, keywords, entropy, maxLength, swallow } = rule;
  if (!isLabel(id)) throw new RuleFault('its id is not fit for a marker', 'use 1 to 64 of A-Z a-z 0-9 . _ -');
  if ((pattern === undefined) === (literal === undefined)) {
    throw new RuleFault('it has to have either a pattern or a literal', 'give one of the two');
  }
  if (literal === '') throw new RuleFault('its literal is empty', 'give the secret');
  if (secretGroup !== undefined && !(Number.isInteger(secretGroup) && secretGroup >= 0)) {
    throw new RuleFault('its secretGroup is not the number of a group', 'give a whole number from 0 on');
  }
  if (keywords?.some((keyword) => keyword === '')) {
    throw new RuleFault('one of its keywords is empty', 'leave it out');
  }
  if (entropy !== undefined && !(entropy >= 0 && entropy <= 16)) {
    throw new RuleFault('its entropy is not in bits a character', 'give a number from 0 to 16');
  }
  if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0 && maxLength <= MOST_LENGTH)) {
    throw new RuleFault('its maxLength is out of range', `give a whole number from 1 to ${MOST_LENGTH}`);
  }
  if (swallow && (entropy !== undefined || rule.check || rule.allow?.length)) {
    throw new RuleFault(
      'it swallows, so its secret is never seen as a whole, and entropy, check and allow have nothing to look at',
      'leave them out, or do not swallow',
    );
  }
}

/** Whether a text can stand in a marker. */
export function isLabel(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}
