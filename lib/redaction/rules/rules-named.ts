import { nearestName } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import type { Rule } from '../compile/rule.ts';
import { ownRules } from './own-rules.ts';

const CATEGORIES = ['credential', 'personal'] as const;

/**
 * Returns built-in rules by ID (enabled by default or not) or category (its default rules), without duplicates, in the order of `ownRules`. Without names,
 * returns all default rules.
 */
export function rulesNamed(names: readonly string[] = CATEGORIES): readonly Rule[] {
  const known = [...CATEGORIES, ...ownRules.map(({ id }) => id)];
  const issues = names.filter((name) => !known.includes(name)).map((name) => unknownRule(name, known));
  if (issues.length > 0) throw new HooklineError('OPTIONS_INVALID', `Redaction rules: ${issues.join(' ')}`);
  return ownRules.filter(
    ({ id, category = 'credential', byDefault = true }) =>
      names.includes(id) || (byDefault && names.includes(category)),
  );
}

function unknownRule(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `There is no '${name}'. ${near ? `Did you mean '${near}'?` : `Name a category (${CATEGORIES.join(', ')}) or a rule's id.`}`;
}
