import type { RunView } from '../../runs/run-view.ts';
import { showCost, showCount } from '../ui/format.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { tookOf } from './took-of.ts';

type SubRun = NonNullable<RunView['subRuns']>[number];

/** The sub-agents of a run as a tree, each with its own sums. */
export function SubRuns({
  of,
  more = 0,
  top,
}: {
  readonly of: readonly SubRun[];
  readonly more?: number | undefined;
  readonly top: string;
}) {
  const ids = new Set(of.map(({ runId }) => runId));
  // The parent of a resumed run may be an earlier part of the run itself.
  const roots = of.filter(({ parent }) => parent === top || !ids.has(parent));
  return (
    <details class="sub-runs">
      <summary>
        {of.length + more} sub-{of.length + more === 1 ? 'agent' : 'agents'}
      </summary>
      <Branch of={roots} all={of} />
      {more > 0 && <p class="faint">{more} more are not listed.</p>}
    </details>
  );
}

function Branch({ of, all }: { readonly of: readonly SubRun[]; readonly all: readonly SubRun[] }) {
  return (
    <ul>
      {of.map((sub) => {
        const below = all.filter(({ parent }) => parent === sub.runId);
        return (
          <li key={sub.runId}>
            <div>
              <StatePill of={sub} />
              <Text in="strong" of={sub.agent} />
              <span class="faint">{factsOf(sub).join(' · ')}</span>
            </div>
            {below.length > 0 && <Branch of={below} all={all} />}
          </li>
        );
      })}
    </ul>
  );
}

function factsOf(sub: SubRun): readonly string[] {
  const { usage, cost, refusals } = sub;
  return [
    usage ? `${showCount(usage.inputTokens + usage.outputTokens)} tokens` : '',
    cost ? showCost(cost) : '',
    refusals === undefined ? '' : `${refusals} denied`,
    tookOf(sub),
  ].filter((fact) => fact !== '');
}
