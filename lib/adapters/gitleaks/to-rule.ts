import type { Allowance, Rule } from '../../redaction/compile/rule.ts';
import { RuleError } from '../../redaction/compile/rule-error.ts';
import { parsePattern } from '../../redaction/pattern/parse/parse-pattern.ts';
import type { GitleaksRule } from './gitleaks-file.ts';
import type { Report } from './report.ts';

/** Converts a rule of gitleaks, if its regex can be read. */
export function toRule(
  rule: GitleaksRule & { readonly regex: string },
  allow: readonly Allowance[],
  report: Report,
): Rule | undefined {
  const { id, description, regex, entropy, secretGroup, keywords = [] } = rule;
  const groups = groupsOf(rule, report);
  if (groups === undefined) return undefined;
  if (secretGroup !== undefined && secretGroup > groups) {
    report.problem(`rule '${id}': secretGroup is ${secretGroup}, but the regex has ${groups}; use an existing group.`);
    return undefined;
  }
  return {
    id: labelOf(id, report),
    pattern: regex,
    ...(description ? { description } : {}),
    ...(keywords.length > 0 ? { keywords: keywords.map((keyword) => keyword.toLowerCase()).filter(Boolean) } : {}),
    ...(entropy ? { entropy } : {}),
    ...(secretGroup ? { secretGroup } : {}),
    ...(allow.length > 0 ? { allow } : {}),
  };
}

function groupsOf({ id, regex }: GitleaksRule & { readonly regex: string }, report: Report): number | undefined {
  try {
    return parsePattern(regex).groups;
  } catch (thrown) {
    if (!(thrown instanceof RuleError)) throw thrown;
    // A readable but invalid rule is refused later, together with the others.
    if (!/cannot be read/.test(thrown.message)) return Number.POSITIVE_INFINITY;
    report.problem(`rule '${id}': regex: ${thrown.message}; ${thrown.fix}.`);
    return undefined;
  }
}

function labelOf(id: string, report: Report): string {
  const label = id.replace(/[^\w.-]+/g, '-').slice(0, 64);
  if (label !== id) report.notice(`rule '${id}': its markers and findings use the label '${label}'.`);
  return label;
}
