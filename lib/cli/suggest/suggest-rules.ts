import { existsSync, readFileSync } from 'node:fs';
import type { Findings } from '../../config/dialects/dialect.ts';
import { configError } from '../../config/issues/config-issue.ts';
import { readConfig } from '../../config/read-config.ts';
import { parseSource } from '../../config/source/parse-source.ts';
import { HooklineError } from '../../errors.ts';
import { caseBed, type Outcome, tryCase } from '../cases/try-case.ts';
import { configuredHooks } from '../setup/configured-hooks.ts';
import { insertItems, isReadable } from './insert-items.ts';
import { caseOf, ruleOf } from './proposed-texts.ts';
import type { AuditReading, LoggedCall } from './read-audit.ts';

/** A call that people approved often enough, and why there is no rule for it. */
export interface Refusal {
  readonly call: LoggedCall;
  readonly why: string;
}

/** Rules and cases for calls, with the changed files. Nothing is written. */
export interface Suggestion {
  readonly policy: string;
  readonly calls: readonly LoggedCall[];
  readonly refused: readonly Refusal[];
  readonly rules: FileChange;
  readonly cases: FileChange;
}

/** The text of a file before and after. `before`: undefined for a new file. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
}

type Verdicts = ReadonlyMap<LoggedCall, Outcome>;

const TOOL_NAME = /^[\w.:/-]+$/;

/** Proposes an allow rule for each call that people approved at least `min` times. Throws `CONFIG_INVALID` if the policy is invalid. */
export async function suggestRules(policy: string, reading: AuditReading, min: number): Promise<Suggestion> {
  const wanted = reading.calls
    .filter(({ approvals }) => approvals >= min)
    .toSorted((a, b) => b.approvals - a.approvals);
  const refused: Refusal[] = [];
  const refuse = (call: LoggedCall, why: string | undefined): boolean => {
    if (why !== undefined) refused.push({ call, why });
    return why === undefined;
  };
  let calls = wanted.filter((call) => refuse(call, faultOf(call, reading)));
  const live = await configuredHooks({ config: [policy], hooks: [], allowWeaker: true }, {});
  try {
    const text = readFileSync(policy, 'utf8');
    // A rule is about one tool.
    const tools = new Set(calls.map(({ tool }) => tool));
    const others = reading.calls.filter(({ tool }) => tools.has(tool));
    const before = await verdictsOf(policy, text, others, live);
    calls = calls.filter((call) => refuse(call, standing(before.get(call))));
    const hook = live.config.hooks.find(
      ({ kind, entry }) => kind.name === 'permission' && entry.enabled !== false,
    )?.name;
    if (hook === undefined) calls = calls.filter((call) => refuse(call, `${policy} has no hook of type permission`));
    const withRules = (some: readonly LoggedCall[]) =>
      hook === undefined || some.length === 0
        ? text
        : insertItems(policy, text, ['hooks', hook, 'options', 'allow'], some.map(ruleOf));
    const tried = await verdictsOf(policy, withRules(calls), calls, live);
    calls = calls.filter((call) => refuse(call, shortOf(tried.get(call))));
    const after = withRules(calls);
    const proposed = new Set(calls);
    const now = await verdictsOf(policy, after, others, live);
    const looser = others.find((call) =>
      proposed.has(call) ? now.get(call)?.action !== 'allow' : now.get(call)?.action !== before.get(call)?.action,
    );
    if (looser) throw new Error(`the rules change the verdict of another call of ${looser.tool}`);
    return { policy, calls, refused, rules: { file: policy, before: text, after }, cases: casesFor(policy, calls) };
  } finally {
    await live.close();
  }
}

function faultOf(call: LoggedCall, { deniedUnseen }: AuditReading): string | undefined {
  const { tool, denials, lastDenial } = call;
  if (denials > 0) return `it was also denied ${denials === 1 ? 'once' : `${denials} times`}, last at ${lastDenial}`;
  const unseen = deniedUnseen.get(tool);
  if (unseen !== undefined) return `a call of ${tool} with unrecorded arguments was denied (${unseen})`;
  if (!TOOL_NAME.test(tool)) return 'a rule cannot name its tool without a wildcard';
  return [ruleOf(call), caseOf(call)].every(isReadable) ? undefined : 'a file cannot contain its input unchanged';
}

function standing(outcome: Outcome | undefined): string | undefined {
  if (outcome?.action === 'allow') return 'the policy allows it already';
  return outcome?.action === 'deny' || outcome?.action === 'abort' ? `the policy denies it (${outcome.by})` : undefined;
}

/** Returns why a rule does not allow a call: another hook decides, or changes it. */
function shortOf(outcome: Outcome | undefined): string | undefined {
  if (outcome?.action !== 'allow')
    return `an allow rule is not enough: ${outcome?.by ?? 'a hook'} still decides ${outcome?.action}`;
  return outcome.input === undefined ? undefined : 'a hook changes it before the rules judge it';
}

/** Tries calls with the text of a policy instead of the file. */
async function verdictsOf(
  file: string,
  text: string,
  calls: readonly LoggedCall[],
  live: Awaited<ReturnType<typeof configuredHooks>>,
): Promise<Verdicts> {
  const findings: Findings = { issues: [], notices: [] };
  const extension = /\.\w+$/.exec(file)?.[0] ?? '';
  const layer = readConfig(parseSource(file, text, findings.issues, extension), findings);
  if (findings.issues.length > 0 || !layer) throw configError(findings.issues);
  if (layer.dialect !== 'hookline') {
    const message = `${file} is in the format of ${layer.dialect}. Rules can only be added to Hookline's own format.`;
    throw new HooklineError('INPUT_INVALID', message);
  }
  const lease = await live.lease([layer]);
  try {
    const bed = caseBed(lease);
    const verdicts = new Map<LoggedCall, Outcome>();
    for (const call of calls) {
      const { tool, input, permission } = call;
      const asked = {
        call: { tool, input, ...(permission && { permission }) },
        name: tool,
        expect: {},
        line: 1,
        column: 1,
      };
      verdicts.set(call, await tryCase(bed, asked));
    }
    return verdicts;
  } finally {
    lease.release();
  }
}

/** The cases go to the file beside the policy. */
function casesFor(policy: string, calls: readonly LoggedCall[]): FileChange {
  const stem = policy.replace(/\.[^./\\]+$/, '');
  const names = ['.yaml', '.yml', '.json', '.jsonc'].map((extension) => `${stem}.cases${extension}`);
  const found = names.find((name) => existsSync(name));
  const file = found ?? (names[0] as string);
  const before = found === undefined ? undefined : readFileSync(found, 'utf8');
  const items = calls.map(caseOf);
  if (items.length === 0) return { file, before, after: before ?? '' };
  if (before !== undefined) return { file, before, after: insertItems(file, before, ['cases'], items) };
  const lines = items.flatMap((item) => item.lines.map((line, at) => `  ${at === 0 ? '- ' : '  '}${line}\n`));
  return { file, before, after: `cases:\n${lines.join('')}` };
}
