import type { Allowance, Rule } from '../../redaction/compile/rule.ts';
import { RuleFault } from '../../redaction/compile/rule-fault.ts';
import { parsePattern } from '../../redaction/pattern/parse/parse-pattern.ts';
import type { GitleaksRule } from './gitleaks-file.ts';
import type { Report } from './report.ts';

/** A rule of gitleaks as one of Hookline, if its regex can be read. */
export function toRule(
  rule: GitleaksRule & { readonly regex: string },
  allow: readonly Allowance[],
  report: Report,
): Rule | undefined {
  const { id, description, regex, entropy, secretGroup, keywords = [] } = rule;
  const groups = groupsOf(rule, report);
  if (groups === undefined) return undefined;
  if (secretGroup !== undefined && secretGroup > groups) {
    report.fault(`rule '${id}': secretGroup is ${secretGroup}, but the regex has ${groups}; name one that it has.`);
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
    if (!(thrown instanceof RuleFault)) throw thrown;
    // What can be read but does not hold is refused later, with all the others.
    if (!/cannot be read/.test(thrown.message)) return Number.POSITIVE_INFINITY;
    report.fault(`rule '${id}': regex: ${thrown.message}; ${thrown.wayOut}.`);
    return undefined;
  }
}

function labelOf(id: string, report: Report): string {
  const label = id.replace(/[^\w.-]+/g, '-').slice(0, 64);
  if (label !== id) report.notice(`rule '${id}': its markers and findings say '${label}'.`);
  return label;
}
