import { sessionName } from '../../../chat/own-session.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import type { RunView } from '../run-view.ts';
import type { Tracking } from '../tracking.ts';

type Begun = Pick<Tracking, 'owner' | 'session' | 'startedAt' | 'resumes'>;

/** Maximum number of earlier runs, without the first. */
const MOST_PARTS = 100;

/** Returns the first view of a run. A resumed run continues the sums of the one before, so that the last run describes the whole work. */
export function beginView({ owner, session, startedAt, resumes }: Begun, run: RunInfo): RunView {
  const at = new Date(startedAt).toISOString();
  return {
    runId: run.runId,
    user: owner.user,
    sessionId: sessionName(owner.user, session),
    agent: run.agent,
    ...(owner.scope !== undefined && { scope: owner.scope }),
    state: 'running',
    startedAt: at,
    ...(resumes && { ...continued(resumes), resumedAt: at, parts: [...partsOf(resumes), run.runId] }),
    ...(run.resumedFrom !== undefined && { resumedFrom: run.resumedFrom }),
  };
}

function continued(view: RunView): Partial<RunView> {
  const { title, startedAt, iteration, decidedBy, tools, model, usage, cost, refusals, lastError } = view;
  const { subRuns, moreSubRuns } = view;
  const sums = { usage, cost, refusals, lastError, subRuns, moreSubRuns };
  return withoutUndefined({ title, startedAt, iteration, decidedBy, tools, model, ...sums });
}

function partsOf({ parts: [first, ...rest] = [], runId }: RunView): readonly string[] {
  return first === undefined ? [runId] : [first, ...rest.slice(-MOST_PARTS)];
}

/** Returns the view of a run that is paused or not. If nothing changes, it is the same object. */
export function withPause(view: RunView, paused: boolean): RunView {
  if (paused === (view.paused === true)) return view;
  const { paused: _, ...rest } = view;
  return paused ? { ...rest, paused } : rest;
}
