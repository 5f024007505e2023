import { commandMatcher } from '../match-command.ts';
import { type RuleMatch, strongest } from '../rule-match.ts';
import type { ToolAction } from './tool-action.ts';
import type { RuleEffect } from './tool-families.ts';

/** Lines that PowerShell and POSIX shells read alike. */
const ALIKE = /^[\w \t./:=@%+,-]*$/;

/** Returns how patterns match the command of an action. A command that is missing or not a text is `unclear`. */
export function calledCommandMatcher(
  patterns: readonly string[],
  effect: RuleEffect,
): (action: ToolAction) => RuleMatch {
  const test = commandMatcher(patterns, effect);
  // Programs and options of PowerShell ignore case.
  const testLower = commandMatcher(
    patterns.map((pattern) => pattern.toLowerCase()),
    effect,
  );
  return ({ name, command }) => {
    if (command === undefined) return 'unclear';
    if (name !== 'PowerShell') return test(command);
    if (effect === 'allow') return ALIKE.test(command) ? test(command) : 'unclear';
    const lower = command.toLowerCase();
    // There, a backslash is part of a path, and a backtick escapes.
    const readings = new Set([lower, lower.replaceAll('\\', '/').replaceAll('`', '')]);
    const match = strongest([test(command), ...[...readings].map(testLower)]);
    // It may do more than a POSIX shell would.
    return match === 'all' && !ALIKE.test(command) ? 'some' : match;
  };
}
