import { HooklineError } from '../../errors.ts';
import { compileRules } from '../../redaction/compile/compile-rules.ts';
import type { RefusedRule } from '../../redaction/compile/compiled-rule.ts';
import type { Rule } from '../../redaction/compile/rule.ts';
import { RuleFault } from '../../redaction/compile/rule-fault.ts';
import { finder } from '../../redaction/pattern/finder.ts';
import { parsePattern } from '../../redaction/pattern/parse/parse-pattern.ts';
import { allowlistsOf } from './allowlists-of.ts';
import { type Gathered, gatherRules } from './gather-rules.ts';
import type { GitleaksRule } from './gitleaks-file.ts';
import type { Report } from './report.ts';
import { toAllowances } from './to-allowances.ts';
import { toRule } from './to-rule.ts';

/** What came of a file of gitleaks' rules. */
export interface GitleaksRules {
  /** Those that hold in any text. */
  readonly rules: readonly Rule[];
  /** Those that hold in some files only, by their paths. */
  readonly inFiles: readonly FileRule[];
  /** What has no effect, or another one than with gitleaks. */
  readonly notices: readonly string[];
  /** Rules that cannot hold in a stream, each with the reason and a way out. */
  readonly refused: readonly RefusedRule[];
}

/** A rule for the files whose path fits. */
export interface FileRule {
  readonly rule: Rule;
  /** Whether it holds in the text of a file of that path, with slashes. */
  holdsIn(path: string): boolean;
}

/** Reads rules in the format of gitleaks, those that the file extends included. Throws one `INPUT_INVALID` that lists every fault. */
export function loadGitleaksRules(file: string): GitleaksRules {
  const faults: string[] = [];
  const notices = new Set<string>();
  const reportFor = (name: string): Report => ({
    fault: (text) => void faults.push(`${name}: ${text}`),
    notice: (text) => void notices.add(`${name}: ${text}`),
  });
  const gathered = gatherRules(file, reportFor);
  const { converted, refused } = convert(gathered, reportFor(file));
  if (faults.length > 0) {
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} has rules that are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
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
      report.fault(`rule '${id}': it has no regex; give it one, or extend the file that has it.`);
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
    if (!(thrown instanceof RuleFault)) throw thrown;
    report.fault(`rule '${id}': path: ${thrown.message}; ${thrown.wayOut}.`);
    return false;
  }
}

/** Why a rule that is right cannot be one of text alone. */
function refusal(
  { regex, path, required, skipReport }: GitleaksRule,
  usesDefault: boolean,
): Omit<RefusedRule, 'id'> | undefined {
  if (required && required.length > 0) {
    return {
      reason: 'it needs what other rules find near by',
      wayOut: 'take what stands around the secret into its regex',
    };
  }
  if (skipReport) return { reason: 'it is only a part of other rules (skipReport)', wayOut: 'leave skipReport out' };
  if (regex !== undefined) return undefined;
  if (path !== undefined) return { reason: 'it looks at names of files only', wayOut: 'give it a regex' };
  return usesDefault
    ? {
        reason: "it changes a rule of gitleaks' own, which are not here",
        wayOut: 'extend a copy of gitleaks.toml by path',
      }
    : undefined;
}
