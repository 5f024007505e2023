import { HooklineError } from '../../errors.ts';
import { compileRules } from '../../redaction/compile-rules.ts';
import type { RefusedRule } from '../../redaction/compiled-rule.ts';
import type { Rule } from '../../redaction/rule.ts';
import { allowlistsOf } from './allowlists-of.ts';
import { type Gathered, gatherRules } from './gather-rules.ts';
import type { GitleaksRule } from './gitleaks-file.ts';
import type { Report } from './report.ts';
import { toAllowances } from './to-allowances.ts';
import { toRule } from './to-rule.ts';

/** What came of a file of gitleaks' rules. */
export interface GitleaksRules {
  readonly rules: readonly Rule[];
  /** What has no effect, or another one than with gitleaks. */
  readonly notices: readonly string[];
  /** Rules that cannot hold in a stream, each with the reason and a way out. */
  readonly refused: readonly RefusedRule[];
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
  const { rules, refused } = convert(gathered, reportFor(file));
  if (faults.length > 0) {
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} has rules that are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
  const verdict = compileRules(rules);
  const kept = new Set(verdict.compiled.map(({ rule }) => rule));
  return {
    rules: rules.filter((rule) => kept.has(rule)),
    notices: [...notices],
    refused: [...refused, ...verdict.refused],
  };
}

function convert(
  { rules, allowlists, usesDefault }: Gathered,
  report: Report,
): { rules: Rule[]; refused: RefusedRule[] } {
  const converted: Rule[] = [];
  const refused: RefusedRule[] = [];
  const forAll = allowlists.map((list, index) => ({
    targets: list.targetRules,
    allow: toAllowances(list, `allowlist ${index + 1} of the file`, report),
  }));
  for (const rule of rules) {
    const { id, regex } = rule;
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
      if (made) converted.push(made);
    }
  }
  return { rules: converted, refused };
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
