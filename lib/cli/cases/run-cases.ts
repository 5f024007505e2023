import { dirname, resolve } from 'node:path';
import { type ConfigIssue, configError } from '../../config/issues/config-issue.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { DialectName } from '../host-hook/dialects/dialect-names.ts';
import { configuredHooks } from '../setup/configured-hooks.ts';
import { type CaseFile, type PolicyCase, readCaseFile } from './case-file.ts';
import { caseFilesIn } from './case-files.ts';
import { type CaseResult, problemsOf } from './compare.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { loadHostBed, loadRunCase } from './load-late.ts';
import { caseBed, type Outcome, tryCase } from './try-case.ts';
import type { HostBed } from './try-host-case.ts';

export interface CasesReport {
  readonly results: readonly CaseResult[];
  /** The coverage of each policy, by its files. */
  readonly coverage: readonly Coverage[];
  /** All files that the report depends on. */
  readonly files: readonly string[];
}

/** Runs the cases of files and folders. Throws `INPUT_INVALID` without cases, and `CONFIG_INVALID` if a file is invalid. */
export async function runCases(paths: readonly string[]): Promise<CasesReport> {
  const names = caseFilesIn(paths);
  if (names.length === 0) {
    const message = `There are no cases in ${paths.join(', ')}. Write them in a file such as hookline.cases.yaml.`;
    throw new HooklineError('INPUT_INVALID', message);
  }
  const issues: ConfigIssue[] = [];
  const files = names.flatMap((name) => readCaseFile(name, issues) ?? []);
  if (issues.length > 0) throw configError(issues);
  const results: CaseResult[] = [];
  const coverage: Coverage[] = [];
  const watched = new Set(names.map((name) => resolve(name)));
  // Files of one policy share its hooks.
  for (const sharing of groups(files).values()) {
    const [{ policy }] = sharing as [CaseFile, ...CaseFile[]];
    const live = await configuredHooks({ config: policy, hooks: [] }, {});
    for (const file of live.watched) watched.add(file);
    const lease = await live.lease();
    const hosts = new Map<DialectName, Promise<HostBed>>();
    const bedOf = (host: DialectName): Promise<HostBed> => {
      const bed = hosts.get(host) ?? loadHostBed()(policy, host);
      hosts.set(host, bed);
      return bed;
    };
    try {
      const bed = caseBed(lease);
      const own: CaseResult[] = [];
      for (const { file, cases } of sharing)
        for (const asked of cases) {
          const { host, run } = asked;
          if (run !== undefined) watched.add(resolve(dirname(file), run));
          const trial = async (): Promise<Outcome | Tried> => {
            if (run !== undefined) return loadRunCase()(lease, asked, dirname(file));
            return host === undefined ? tryCase(bed, asked) : (await bedOf(host)).tryCase(asked);
          };
          own.push(await resultOf(file, asked, trial));
        }
      results.push(...own);
      coverage.push(coverageOf(policy, lease, own));
    } finally {
      lease.release();
      await live.close();
      for (const host of hosts.values())
        await host.then(
          ({ close }) => close(),
          () => {},
        );
    }
  }
  return { results, coverage, files: [...watched] };
}

type Tried = Pick<CaseResult, 'outcome' | 'problems'>;

async function resultOf(file: string, asked: PolicyCase, trial: () => Promise<Outcome | Tried>): Promise<CaseResult> {
  const began = performance.now();
  const tried = await trial().catch((thrown): Outcome => ({ action: 'fail', reason: messageOf(thrown) }));
  const { outcome, problems } = 'outcome' in tried ? tried : { outcome: tried, problems: problemsOf(asked, tried) };
  return { file, asked, outcome, problems, ms: performance.now() - began };
}

function groups(files: readonly CaseFile[]): ReadonlyMap<string, CaseFile[]> {
  const byPolicy = new Map<string, CaseFile[]>();
  for (const file of files) {
    const key = JSON.stringify(file.policy);
    byPolicy.set(key, [...(byPolicy.get(key) ?? []), file]);
  }
  return byPolicy;
}
