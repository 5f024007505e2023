import type { RunView } from '../../runs/run-view.ts';
import { places } from '../app/route.ts';
import { showCost, showCount, showTime } from '../ui/format.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { me, stateOf } from '../wire/activity.ts';
import { SubRuns } from './sub-runs.tsx';
import { tookOf } from './took-of.ts';

/** A row for each run. Runs that resumed each other are one row. */
export function RunTable({
  runs,
  at,
  isStale,
}: {
  readonly runs: readonly RunView[];
  readonly at: number;
  readonly isStale: boolean;
}) {
  const hasCost = runs.some(({ cost }) => cost);
  const hasUsers = runs.some(({ user }) => user !== undefined && user !== me.value?.user);
  return (
    <table class="run-table" aria-busy={isStale}>
      <thead>
        <tr>
          <Head>State</Head>
          <Head>Run</Head>
          <Head class="medium">Agent</Head>
          {hasUsers && <Head class="medium">User</Head>}
          <Head class="wide">Session</Head>
          <Head class="number wide">Steps</Head>
          <Head class="number wide">Tokens</Head>
          {hasCost && <Head class="number wide">Cost</Head>}
          <Head class="number">Took</Head>
          <Head class="number medium">Started</Head>
        </tr>
      </thead>
      <tbody>
        {runs.map((run, index) => (
          <tr key={run.runId} class={index === at ? 'selected' : ''} aria-selected={index === at}>
            <td>
              <StatePill of={{ ...run, state: stateOf(run) }} />
            </td>
            <td class="run-name">
              <a href={places.run(run.runId)}>
                <Text of={run.title ?? run.runId} />
              </a>
              <Remarks of={run} />
              {run.subRuns && <SubRuns of={run.subRuns} more={run.moreSubRuns} top={run.runId} />}
            </td>
            <Text in="td" class="short medium" of={run.agent} />
            {hasUsers && <Text in="td" class="short medium" of={run.user ?? ''} />}
            <Text in="td" class="short wide" of={run.sessionId} />
            <td class="number wide">{run.iteration ?? ''}</td>
            <td class="number wide">{run.usage ? showCount(run.usage.inputTokens + run.usage.outputTokens) : ''}</td>
            {hasCost && <td class="number wide">{run.cost ? showCost(run.cost) : ''}</td>}
            <td class="number">{tookOf(run)}</td>
            <td class="number medium">{showTime(run.startedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ class: look, children }: { readonly class?: string; readonly children: string }) {
  return (
    <th scope="col" class={look}>
      {children}
    </th>
  );
}

/** The reason of the outcome or else the last error, and the number of denied calls. */
function Remarks({ of: { reason, lastError, refusals } }: { readonly of: RunView }) {
  const why = reason ?? lastError;
  return (
    <>
      {refusals !== undefined && (
        <span class="faint">
          {refusals} {refusals === 1 ? 'call' : 'calls'} denied
        </span>
      )}
      {why !== undefined && <Text in="span" class="faint" of={why} />}
    </>
  );
}
