import { existsSync, statSync } from 'node:fs';
import { formatIssues, issuesOf } from '../../config/issues/config-issue.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { PolicyCases } from '../../server/index.ts';
import type { CaseResult } from '../cases/compare.ts';
import { runCases } from '../cases/run-cases.ts';
import { shortJson } from '../terminal/short-json.ts';

/** Maximum characters of a value. */
const MOST = 300;
/** How far the times of files may be behind the clock, in milliseconds. */
const CLOCK_MS = 20;

/**
 * Returns a function that runs the cases beside configuration files, as `hookline test` does. They run again only if a file has changed, and after an
 * error: it may be in a file that is not known yet.
 */
export function policyCases(policies: readonly string[]): () => Promise<PolicyCases> {
  let known: { readonly states: ReadonlyMap<string, string>; readonly shown: PolicyCases } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function ask(): Promise<PolicyCases> {
    const files = policies.flatMap(caseFilesBeside);
    if (files.length === 0) return { cases: [] };
    if (known && files.every((file) => known?.states.has(file)) && isCurrent(known.states)) return known.shown;
    // A file may change while the cases run, so these are the states before.
    const began = Date.now() - CLOCK_MS;
    const before = new Map(
      [...files, ...policies, ...(known?.states.keys() ?? [])].map((file) => [file, stateOf(file)]),
    );
    known = undefined;
    try {
      const report = await runCases(files);
      const depends = [...new Set([...files, ...report.files])];
      const states = new Map(depends.map((file) => [file, before.get(file) ?? stateOf(file, began)]));
      known = { states, shown: { cases: report.results.map(shownCase) } };
      return known.shown;
    } catch (thrown) {
      const lines = formatIssues(issuesOf(thrown) ?? []);
      return { cases: [], error: lines.length > 0 ? lines.join('\n') : messageOf(thrown) };
    }
  }

  return () => {
    const asked = last.then(ask);
    last = asked.catch(() => {});
    return asked;
  };
}

function caseFilesBeside(policy: string): readonly string[] {
  const stem = policy.replace(/\.[^./\\]+$/, '');
  return ['yaml', 'yml', 'json', 'jsonc'].map((end) => `${stem}.cases.${end}`).filter((file) => existsSync(file));
}

function isCurrent(states: ReadonlyMap<string, string>): boolean {
  return [...states].every(([file, state]) => stateOf(file) === state);
}

/** The state of a file; of one that has changed since a time, a state that it never has. */
function stateOf(file: string, since = Number.POSITIVE_INFINITY): string {
  const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return mtimeMs >= since ? '' : `${mtimeMs} ${size}`;
}

function shownCase({ file, asked, problems, outcome }: CaseResult): PolicyCases['cases'][number] {
  const { name, line, call, prompt, result } = asked;
  const steps = (outcome.steps ?? []).filter(({ effect, reason }) =>
    effect === 'passed' ? reason !== undefined : effect !== 'skipped',
  );
  return {
    ...{ name, file, line, ok: problems.length === 0, problems: [...problems], action: outcome.action },
    about: call
      ? `${call.tool} ${shortJson(call.input, MOST)}`
      : prompt === undefined
        ? `result of ${result?.tool}: ${shortJson(result?.content ?? '', MOST)}`
        : `prompt: ${shortJson(prompt, MOST)}`,
    reached: [
      // An approval prompt is only in the decision.
      ...(outcome.by === undefined ? [] : [reachedBy(outcome.by, outcome.reason)]),
      ...steps.map(({ hook, reason }) => reachedBy(hook, reason)),
    ],
  };
}

function reachedBy(hook: string, reason: string | undefined): PolicyCases['cases'][number]['reached'][number] {
  return { hook, ...(reason !== undefined && { reason }) };
}
