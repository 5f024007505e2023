import { HooklineError } from '../../errors.ts';
import { compileRules } from '../../redaction/compile/compile-rules.ts';
import type { RefusedRule } from '../../redaction/compile/compiled-rule.ts';
import type { Rule } from '../../redaction/compile/rule.ts';
import { RuleError } from '../../redaction/compile/rule-error.ts';
import { finder } from '../../redaction/pattern/finder.ts';
import { parsePattern } from '../../redaction/pattern/parse/parse-pattern.ts';
import { allowlistsOf } from './allowlists-of.ts';
import { type Gathered, gatherRules } from './gather-rules.ts';
import type { GitleaksRule } from './gitleaks-file.ts';
import type { Report } from './report.ts';
import { toAllowances } from './to-allowances.ts';
import { toRule } from './to-rule.ts';

/** The result of loading a file with gitleaks rules. */
export interface GitleaksRules {
  /** Rules for any text. */
  readonly rules: readonly Rule[];
  /** Rules for files with certain paths. */
  readonly inFiles: readonly FileRule[];
  /** Fields that have no effect, or another effect than in gitleaks. */
  readonly notices: readonly string[];
  /** Rules that cannot apply to a stream, each with the reason and a fix. */
  readonly refused: readonly RefusedRule[];
}

/** A rule for files whose path matches. */
export interface FileRule {
  readonly rule: Rule;
  /** Returns true if the rule applies to the text of a file. The path has forward slashes. */
  holdsIn(path: string): boolean;
}

/** Reads rules in the format of gitleaks, including those of extended files. Throws one `INPUT_INVALID` that lists every problem. */
export function loadGitleaksRules(file: string): GitleaksRules {
  const problems: string[] = [];
  const notices = new Set<string>();
  const reportFor = (name: string): Report => ({
    problem: (text) => void problems.push(`${name}: ${text}`),
    notice: (text) => void notices.add(`${name}: ${text}`),
  });
  const gathered = gatherRules(file, reportFor);
  const { converted, refused } = convert(gathered, reportFor(file));
  if (problems.length > 0) {
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} has invalid rules:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
  const verdict = compileRules(converted.map(({ rule }) => rule));
  const kept = new Set(verdict.compiled.map(({ rule }) => rule));
  const holding = converted.filter(({ rule }) => kept.has(rule));
  return {
    rules: holding.flatMap(({ rule, path }) => (path === undefined ? [rule] : [])),
    inFiles: holding.flatMap(({ rule, path }) => (path === undefined ? [] : [{ rule, holdsIn: finder(path) }])),
    notices: [...notices],
    refused: [...refused, ...verdict.refused],
  };
}

interface Converted {
  readonly rule: Rule;
  readonly path: string | undefined;
}

function convert(
  { rules, allowlists, usesDefault }: Gathered,
  report: Report,
): { converted: Converted[]; refused: RefusedRule[] } {
  const converted: Converted[] = [];
  const refused: RefusedRule[] = [];
  const forAll = allowlists.map((list, index) => ({
    targets: list.targetRules,
    allow: toAllowances(list, `allowlist ${index + 1} of the file`, report),
  }));
  for (const rule of rules) {
    const { id, regex, path } = rule;
    const reason = refusal(rule, usesDefault);
    if (reason) refused.push({ id, ...reason });
    else if (regex === undefined)
      report.problem(`rule '${id}': it has no regex; add one, or extend the file that defines it.`);
    else {
      const own = allowlistsOf(rule).flatMap((list, index) =>
        toAllowances(list, `rule '${id}': allowlist ${index + 1}`, report),
      );
      const common = forAll.flatMap(({ targets, allow }) => (!targets || targets.includes(id) ? allow : []));
      const made = toRule({ ...rule, regex }, [...own, ...common], report);
      if (made && isPath(path, id, report)) converted.push({ rule: made, path });
    }
  }
  return { converted, refused };
}

function isPath(path: string | undefined, id: string, report: Report): boolean {
  if (path === undefined) return true;
  try {
    parsePattern(path);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof RuleError)) throw thrown;
    report.problem(`rule '${id}': path: ${thrown.message}; ${thrown.fix}.`);
    return false;
  }
}

/** Returns why a valid rule cannot apply to text alone. */
function refusal(
  { regex, path, required, skipReport }: GitleaksRule,
  usesDefault: boolean,
): Omit<RefusedRule, 'id'> | undefined {
  if (required && required.length > 0) {
    return {
      reason: 'it requires matches of other rules nearby',
      fix: 'include the surrounding text in its regex',
    };
  }
  if (skipReport) return { reason: 'it only supports other rules (skipReport)', fix: 'remove skipReport' };
  if (regex !== undefined) return undefined;
  if (path !== undefined) return { reason: 'it only matches file names', fix: 'add a regex' };
  return usesDefault
    ? {
        reason: 'it changes a built-in rule of gitleaks, which Hookline does not include',
        fix: 'extend a copy of gitleaks.toml by path',
      }
    : undefined;
}
