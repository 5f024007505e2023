import { resolve } from 'node:path';
import type { HookLease } from '../../config/live/generation.ts';
import { messageOf } from '../../errors/describe-thrown.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import { markerHead } from '../../redaction/show/marker.ts';
import { readReplayable } from '../../replay/read-run.ts';
import { keyOf } from '../../replay/recorded-effects.ts';
import type { RecordedScript } from '../../replay/recorded-script.ts';
import { type ReplayedRun, replayRun } from '../../replay/replay-run.ts';
import { type EventVerdict, verdictsOf } from '../../replay/verdicts.ts';
import { isOutwardIn } from '../replay/replay-hooks.ts';
import { shortJson } from '../terminal/short-json.ts';
import type { ExpectedCall, PolicyCase } from './case-file.ts';
import { namesRule, showDecision } from './compare.ts';
import type { Outcome } from './try-case.ts';

/** Maximum characters of a value in a problem. */
const MOST = 200;

/** Verdicts that must not be lost. Others are reported if nothing before explains why the replay does not reach them. */
const STRICT: ReadonlySet<string> = new Set(['ask', 'deny', 'abort']);

/** Replays a recorded run, and its sub-agents, with the hooks of a policy. Calls that the case lists are as it expects, and all else as recorded. */
export async function tryRunCase(
  lease: HookLease,
  { run = '', expect: { calls = [] } }: PolicyCase,
  folder: string,
): Promise<{ readonly outcome: Outcome; readonly problems: readonly string[] }> {
  try {
    const { scripts, raw } = readReplayable(resolve(folder, run));
    const { hooks, options: settings } = lease.pipeline;
    const isOutward = isOutwardIn(lease);
    const expected = [...calls];
    const problems: string[] = [];
    const steps: TraceStep[] = [];
    for (const script of scripts) {
      const now = await replayRun(script, { hooks, settings, isOutward, instant: true });
      problems.push(...differencesIn(script, now, raw, expected));
      steps.push(...now.reports.flatMap(namedSteps));
    }
    problems.push(
      ...expected.map(({ tool }) => `expected a call of ${tool}, which the run does not have at this point`),
    );
    return { outcome: { action: problems.length > 0 ? 'fail' : 'allow', steps }, problems };
  } catch (thrown) {
    const reason = messageOf(thrown);
    return { outcome: { action: 'fail', reason }, problems: [reason] };
  }
}

/** Returns what differs from the recording. Removes the calls that it finds from `expected`. */
function differencesIn(
  script: RecordedScript,
  now: ReplayedRun,
  raw: boolean,
  expected: ExpectedCall[],
): readonly string[] {
  const verdicts = verdictsOf(now.reports);
  const reports = new Map(now.reports.map((report) => [keyOf(report.event), report]));
  const problems: string[] = [];
  for (const [key, before] of verdictsOf(script.reports)) {
    const wanted = before.what === 'call' && expected[0]?.tool === before.tool ? expected.shift() : undefined;
    const after = verdicts.get(key);
    const place = `event ${before.seq}, ${placeOf(before)}`;
    if (!raw && before.value.includes(markerHead))
      problems.push(`${place}: unknown, because the recording has a placeholder here. Record it with raw: true`);
    else if (after) {
      const found = wanted ? notAs(wanted, after, reports.get(key)) : changeOf(before, after);
      if (found !== undefined) problems.push(`${place}: ${found}`);
    } else if (
      wanted ||
      (!reports.has(key) && !isAborted(now) && (STRICT.has(before.action) || problems.length === 0))
    ) {
      const why = now.missing === undefined ? '' : `, because the recording does not contain ${now.missing}`;
      problems.push(`${place}: unknown, the replay ends before it${why}`);
    }
  }
  return problems;
}

function placeOf({ what, tool, value }: EventVerdict): string {
  const shown = what === 'call' ? value : JSON.stringify(value);
  const cut = shown.length > MOST ? `${shown.slice(0, MOST)}..` : shown;
  return `${tool === undefined ? what : `${what} of ${tool}`} ${cut}`;
}

function changeOf(before: EventVerdict, after: EventVerdict): string | undefined {
  if (before.action !== after.action) return `recorded ${showDecision(before)}, now ${showDecision(after)}`;
  if (before.value === after.value) return undefined;
  const what = before.what === 'call' ? 'another input' : 'another text';
  const by = after.by === undefined ? '' : ` by ${after.by}`;
  return `${what}${by}: recorded ${shortJson(before.value, MOST)}, now ${shortJson(after.value, MOST)}`;
}

function notAs(wanted: ExpectedCall, after: EventVerdict, report: TraceReport | undefined): string | undefined {
  const { action = 'allow', by, rule, reason } = wanted;
  const steps = report?.steps ?? [];
  const isBy =
    by === undefined || after.by === by || steps.some(({ hook, effect }) => hook === by && effect === 'decided');
  const named = rule === undefined || namesRule({ action: 'allow', reason: after.reason, steps }, rule);
  if (after.action === action && isBy && named && (reason === undefined || after.reason?.includes(reason)))
    return undefined;
  const rules = rule === undefined ? '' : ` by the rule ${rule}`;
  return `expected ${showDecision({ ...wanted, action })}${rules}, got ${showDecision(after)}`;
}

function isAborted({ reports }: ReplayedRun): boolean {
  const end = reports.at(-1)?.event;
  return end?.type === 'postCall' && end.outcome === 'aborted';
}

/** The steps of an event. The one that decides has the reason, which names the rule. */
function namedSteps({ event, steps }: TraceReport): readonly TraceStep[] {
  const { decision } = event;
  if (!decision || !('by' in decision)) return steps;
  const reason = 'reason' in decision ? decision.reason : 'prompt' in decision ? decision.prompt : undefined;
  if (typeof reason !== 'string') return steps;
  return steps.map((step) => (step.hook === decision.by && step.effect === 'decided' ? { ...step, reason } : step));
}
