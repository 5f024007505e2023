import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../runs/run-view.ts';
import type { RunPage } from '../../runs/view/run-page.ts';
import { places } from '../app/route.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { piecesOf } from '../runs/use-runs.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Text } from '../ui/text.tsx';
import { addRun, may, mayStart, runs, waiting } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';
import { PromptBox, startRun } from './prompt-box.tsx';
import { Turn } from './turn.tsx';

/** The number of runs shown at first. */
const SHOWN = 20;

/** A session as a conversation: its runs, pending calls, and a box for the next prompt. */
export function SessionView({ id }: { readonly id: string }) {
  const { list, error, hasMore, more } = useRuns(id);
  const [failure, setFailure] = useState('');
  const last = list.at(-1);
  const isActive = last?.state === 'running';
  const cards = [...waiting.value.values()].filter(
    ({ approval, given }) => !given && list.some(({ runId }) => runId === approval.runId),
  );
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [list.length, cards.length]);
  const stop = async () => {
    const answer = await callApi<RunView>('POST', `/api/runs/${encodeURIComponent(last?.runId ?? '')}/cancel`, {});
    setFailure(answer.error);
    if (answer.ok) addRun(answer.body);
  };
  const retry = async () => {
    const answer = await startRun({ regenerate: true, sessionId: id });
    setFailure('error' in answer ? answer.error : '');
  };
  return (
    <div class="session-view">
      <div class="run-title">
        <a class="back" href={places.sessions}>
          Sessions
        </a>
        <span aria-hidden="true">/</span>
        <Text in="h1" of={(list[0]?.title ?? id).slice(0, 120)} />
      </div>
      {hasMore && (
        <button type="button" onClick={more}>
          Show earlier runs
        </button>
      )}
      {[error, failure].filter(Boolean).map((one) => (
        <ErrorNotice key={one} of={one} />
      ))}
      {list.map((run) => (
        <Turn key={run.runId} run={run} goesOn={run.parts !== undefined && run.parts.at(-1) !== run.runId} />
      ))}
      {cards.length > 0 && (
        <div class="cards">
          {cards.map((one) => (
            <ApprovalCard key={one.approval.id} of={one} selected={false} />
          ))}
        </div>
      )}
      {may('run') && last && (
        <div class="session-actions">
          {isActive && (
            <button type="button" class="danger" onClick={stop}>
              Stop
            </button>
          )}
          {mayStart() && last.state === 'ended' && (
            <button type="button" onClick={retry}>
              Run again
            </button>
          )}
        </div>
      )}
      {mayStart() && <PromptBox sessionId={id} />}
      <div ref={end} />
    </div>
  );
}

/** Returns the runs of a session, oldest first: the stored ones, and those that have started since. */
function useRuns(id: string) {
  const [known, setKnown] = useState<readonly RunView[]>([]);
  const [error, setError] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  useEffect(() => {
    const query = new URLSearchParams({ session: id, limit: '100' });
    void callApi<RunPage>('GET', `/api/runs?${query}`).then((answer) => {
      setError(answer.error);
      if (answer.ok) setKnown(answer.body.runs);
    });
  }, [id]);
  const live = [...runs.value.values()].filter(({ sessionId }) => sessionId === id);
  const all = piecesOf([...known, ...live])
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
    .flatMap(partsOf);
  const list = all.slice(-limit);
  return { list, error, hasMore: all.length > list.length, more: () => setLimit(limit + SHOWN) };
}

/** The runs that resumed each other, in order. Each has its own events. */
function partsOf(run: RunView): readonly RunView[] {
  const { parts = [run.runId] } = run;
  return parts.map((runId) => (runId === run.runId ? run : { ...run, runId, state: 'ended', outcome: 'suspended' }));
}
