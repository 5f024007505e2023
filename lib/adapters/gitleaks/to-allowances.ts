import type { Allowance } from '../../redaction/compile/rule.ts';
import { RuleError } from '../../redaction/compile/rule-error.ts';
import { parsePattern } from '../../redaction/pattern/parse/parse-pattern.ts';
import type { GitleaksAllowlist } from './gitleaks-file.ts';
import type { Report } from './report.ts';

/** Converts an allowlist for text without files and commits. The result never allows more than the allowlist. */
export function toAllowances(list: GitleaksAllowlist, where: string, report: Report): readonly Allowance[] {
  const { commits = [], paths = [], stopwords = [], regexTarget } = list;
  const needsAll = /and|&&/i.test(list.condition ?? '');
  const target = regexTarget || 'secret';
  const regexes = (list.regexes ?? []).filter((regex) => holds(regex, where, report));
  if (paths.length > 0) report.notice(`${where}: paths have no effect, because a stream has no paths.`);
  if (commits.length > 0) report.notice(`${where}: commits have no effect, because a stream has no commits.`);
  if (target === 'line' && regexes.length > 0)
    report.notice(`${where}: regexTarget 'line' matches the line only up to the end of the match.`);
  if (!needsAll) {
    return [
      ...regexes.map((pattern): Allowance => ({ pattern, target })),
      ...(stopwords.length > 0 ? [{ stopWords: stopwords }] : []),
    ];
  }
  if (paths.length > 0 || commits.length > 0) {
    report.notice(`${where}: it also requires a path or a commit (condition AND), so it allows nothing.`);
    return [];
  }
  // With AND, one of the regexes and one of the stop words must match. An invalid regex that was left out must not relax this.
  if (regexes.length < (list.regexes ?? []).length && regexes.length === 0) return [];
  if (regexes.length === 0 && stopwords.length === 0) return [];
  return [
    {
      target,
      ...(regexes.length > 0 ? { pattern: regexes.map((regex) => `(?:${regex})`).join('|') } : {}),
      ...(stopwords.length > 0 ? { stopWords: stopwords } : {}),
    },
  ];
}

function holds(regex: string, where: string, report: Report): boolean {
  try {
    parsePattern(regex);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof RuleError)) throw thrown;
    const about = `${where}: regexes: '${regex}': ${thrown.message}`;
    if (/cannot be read/.test(thrown.message)) report.problem(`${about}; ${thrown.fix}.`);
    else report.notice(`${about}, so it allows nothing.`);
    return false;
  }
}
