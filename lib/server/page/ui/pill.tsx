import type { RunView } from '../../runs/run-view.ts';
import { Text } from './text.tsx';

const looks: Readonly<Record<string, string>> = {
  running: 'running',
  suspended: 'waiting',
  completed: 'good',
  responded: 'good',
  finished: 'good',
  exhausted: 'waiting',
  aborted: 'refused',
  denied: 'refused',
  failed: 'failed',
  cancelled: 'off',
};

/** The state or outcome of a run, as a coloured word. */
export function StatePill({ of }: { readonly of: Pick<RunView, 'state' | 'outcome' | 'paused'> }) {
  if (of.state === 'running' && of.paused) return <Pill word="paused" look="waiting" />;
  const word = of.state === 'ended' ? (of.outcome ?? 'ended') : of.state === 'suspended' ? 'waiting' : of.state;
  return <Pill word={word} look={of.state === 'suspended' ? 'waiting' : looks[word]} />;
}

/** A coloured word. */
function Pill({ word, look = 'off' }: { readonly word: string; readonly look?: string | undefined }) {
  return (
    <span class={`pill pill-${look}`}>
      <i aria-hidden="true" />
      <Text of={word} />
    </span>
  );
}
