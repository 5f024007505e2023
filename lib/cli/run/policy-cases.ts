import { existsSync, statSync } from 'node:fs';
import { formatIssues, issuesOf } from '../../config/issues/config-issue.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { PolicyCases } from '../../server/index.ts';
import type { CaseResult } from '../cases/compare.ts';
import { runCases } from '../cases/run-cases.ts';
import { shortJson } from '../terminal/short-json.ts';

/** Maximum characters of a value. */
const MOST = 300;

/** Returns a function that runs the cases beside configuration files, as `hookline test` does. They run again only if a file has changed. */
export function policyCases(policies: readonly string[]): () => Promise<PolicyCases> {
  let known: { readonly state: string; readonly made: Promise<Ran> } | undefined;

  return async () => {
    const files = policies.flatMap(caseFilesBeside);
    if (files.length === 0) return { cases: [] };
    const depends = known === undefined ? files : [...files, ...(await known.made).depends];
    const state = stateOf(depends);
    if (known?.state === state) return (await known.made).shown;
    const made = run(files, policies);
    known = { state: '', made };
    known = { state: stateOf([...files, ...(await made).depends]), made };
    return (await made).shown;
  };
}

interface Ran {
  readonly shown: PolicyCases;
  readonly depends: readonly string[];
}

async function run(files: readonly string[], policies: readonly string[]): Promise<Ran> {
  try {
    const report = await runCases(files);
    return { shown: { cases: report.results.map(shownCase) }, depends: report.files };
  } catch (thrown) {
    const lines = formatIssues(issuesOf(thrown) ?? []);
    return { shown: { cases: [], error: lines.length > 0 ? lines.join('\n') : messageOf(thrown) }, depends: policies };
  }
}

function caseFilesBeside(policy: string): readonly string[] {
  const stem = policy.replace(/\.[^./\\]+$/, '');
  return ['yaml', 'yml', 'json', 'jsonc'].map((end) => `${stem}.cases.${end}`).filter((file) => existsSync(file));
}

function stateOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const { mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      return `${file} ${mtimeMs} ${size}`;
    })
    .join('\n');
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
