import { useEffect, useState } from 'preact/hooks';
import { sessionName } from '../../../chat/own-session.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { RunControl, RunView as View } from '../../runs/run-view.ts';
import { places } from '../app/route.ts';
import { SubRuns } from '../runs/sub-runs.tsx';
import { tookOf } from '../runs/took-of.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Fact } from '../ui/fact.tsx';
import { showCost, showCount, showMs, showNumber, showTime } from '../ui/format.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { addRun, may, me, runs, stateOf as shownState } from '../wire/activity.ts';
import { callApi, request } from '../wire/call-api.ts';
import type { OpenRun } from '../wire/open-run.ts';

/** The run, its state, and the available actions. */
export function RunHeader({
  run,
  runId,
  name,
}: {
  readonly run: OpenRun;
  readonly runId: string | undefined;
  readonly name: string | undefined;
}) {
  const [error, setError] = useState('');
  const view = runId === undefined ? undefined : runs.value.get(runId);
  // At the end of the events again, because the first response may be older.
  const isOver = run.state.value === 'ended';
  useEffect(() => {
    if (runId !== undefined)
      void callApi<View>('GET', `/api/runs/${encodeURIComponent(runId)}`).then(({ ok, body }) => ok && addRun(body));
  }, [runId, isOver]);
  run.version.value;
  const { model } = run;
  const [first] = model.events;
  const own = model.nodes[0];
  const info = own?.info;
  const user = view?.user ?? info?.userId;
  const title = view?.title ?? titleOf(run);
  const usage = view?.usage ?? own?.end?.usage;
  const resumedBy = run.resumedBy.value ?? view?.resumedBy;
  const resumedFrom = info?.resumedFrom ?? view?.resumedFrom;
  const shown = stateOf(run, view);
  const isLive = view?.state === 'running' && shown.state === 'running';
  const mayControl = runId !== undefined && may('run') && (view?.user === undefined || view.user === me.value?.user);
  const control = async (how: RunControl) => {
    const answer = await callApi<View>('POST', `/api/runs/${encodeURIComponent(runId ?? '')}/${how}`, {});
    setError(answer.error);
    if (answer.ok) addRun(answer.body);
  };
  return (
    <header class="run-header">
      <div class="run-title">
        <a class="back" href={places.runs} aria-label="All runs">
          Runs
        </a>
        <span aria-hidden="true">/</span>
        <Text in="h1" of={(title || info?.runId || runId || name || 'Run').slice(0, 120)} />
        {runId === undefined && <span class="tag">recording</span>}
        <StatePill of={shown} />
        {run.state.value === 'lost' && <span class="tag warn">reconnecting…</span>}
        {run.state.value === 'reading' && <span class="tag">reading…</span>}
      </div>
      <div class="run-actions">
        {runId !== undefined && (
          <button type="button" onClick={async () => setError(await exportRun(runId))}>
            Export
          </button>
        )}
        {mayControl && isLive && (
          <button
            type="button"
            title={view.paused ? undefined : 'Hold the run before its next model request and tool call'}
            onClick={() => control(view.paused ? 'continue' : 'pause')}
          >
            {view.paused ? 'Continue' : 'Pause'}
          </button>
        )}
        {mayControl && isLive && (
          <button
            type="button"
            title="End the run with one last reply without tools"
            onClick={() => control('interrupt')}
          >
            Interrupt
          </button>
        )}
        {mayControl && (isLive || view?.state === 'suspended') && (
          <button type="button" class="danger" onClick={() => control('cancel')}>
            {isLive ? 'Cancel run' : 'Cancel suspended run'}
          </button>
        )}
      </div>
      <dl class="facts">
        {info && <Fact name="agent" value={info.agent} />}
        {view && (user === undefined || user === me.value?.user) ? (
          <Link name="session" to={places.session(view.sessionId)} text={view.sessionId} />
        ) : (
          (view ?? info) && <Fact name="session" value={sessionOf(view, info)} />
        )}
        {user !== undefined && <Fact name="user" value={user} />}
        {view?.model !== undefined && <Fact name="model" value={view.model} />}
        {(view ?? first) && <Fact name="started" value={showTime(view?.startedAt ?? first!.time)} />}
        {view ? (
          <Fact name="took" value={tookOf(view)} />
        ) : (
          first && <Fact name="took" value={showMs(model.events.at(-1)!.time - first.time)} />
        )}
        {usage && (
          <Fact name="tokens" value={`${showCount(usage.inputTokens)} in, ${showCount(usage.outputTokens)} out`} />
        )}
        {view?.cost && <Fact name="cost" value={showCost(view.cost)} />}
        {view?.refusals !== undefined && <Fact name="denied calls" value={showNumber(view.refusals)} />}
        {view?.lastError !== undefined && <Fact name="last error" value={view.lastError} />}
        <Fact name="events" value={showNumber(model.events.length)} />
        {resumedFrom !== undefined && (
          <Link name="resumes" to={places.run(resumedFrom)} text={resumedFrom.slice(0, 12)} />
        )}
        {resumedBy !== undefined && (
          <Link name="continues as" to={places.run(resumedBy)} text={resumedBy.slice(0, 12)} />
        )}
      </dl>
      {view?.subRuns && <SubRuns of={view.subRuns} more={view.moreSubRuns} top={view.runId} />}
      <ErrorNotice of={error} />
    </header>
  );
}

function Link({ name, to, text }: { readonly name: string; readonly to: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <a href={to}>
          <Text of={text} />
        </a>
      </dd>
    </div>
  );
}

/** Recordings of the hook `recorder` have the agent's ID of the session. */
function sessionOf(view: View | undefined, info: RunInfo | undefined): string {
  return view?.sessionId ?? sessionName(info?.userId ?? '', info?.sessionId ?? '');
}

function titleOf({ model }: OpenRun): string {
  const [first] = model.events;
  return first?.type === 'preCall' ? textOf(first.messages.at(-1)) : '';
}

function stateOf({ model, state }: OpenRun, view: View | undefined): Pick<View, 'state' | 'outcome' | 'paused'> {
  const end = model.nodes[0]?.end;
  // The events may be newer than the view.
  if (view && !(end && view.state === 'running')) return { ...view, state: shownState(view) };
  if (end) return { state: 'ended', outcome: end.outcome };
  return { state: state.value === 'ended' ? 'ended' : 'running' };
}

/** Saves a run as a recording. Returns the error, if any. */
async function exportRun(runId: string): Promise<string> {
  try {
    const response = await request('GET', `/api/runs/${encodeURIComponent(runId)}/recording`);
    if (!response.ok) {
      const { error } = await response.json().catch(() => ({ error: undefined }));
      return error?.message ?? `The server answered ${response.status}.`;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${runId.replace(/[^\w-]/g, '_')}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return '';
  } catch {
    return 'The server does not respond.';
  }
}
