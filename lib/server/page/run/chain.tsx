import { useState } from 'preact/hooks';
import type { TraceStep } from '../../../pipeline/define/hook.ts';
import { ChangeView } from '../diff/change-view.tsx';
import { showMs } from '../ui/format.ts';
import { MarkIcon } from '../ui/icons.tsx';
import { Text } from '../ui/text.tsx';

/** The effects of every hook on an event, in order: its duration, changes and decision. */
export function Chain({
  steps,
  decidedBy,
}: {
  readonly steps: readonly TraceStep[];
  readonly decidedBy?: string | undefined;
}) {
  const [all, setAll] = useState(false);
  const skipped = steps.filter(({ effect }) => effect === 'skipped').length;
  const shown = all || skipped === steps.length ? steps : steps.filter(({ effect }) => effect !== 'skipped');
  const most = Math.max(...steps.map(({ ms }) => ms), 0.01);
  if (steps.length === 0) return <p class="faint">No hook had an effect, or the run was not traced.</p>;
  return (
    <>
      <ol class="chain">
        {shown.map((step, at) => (
          <ChainStep key={at} of={step} most={most} decidedBy={decidedBy} />
        ))}
      </ol>
      {skipped > 0 && skipped < steps.length && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? 'Hide' : 'Show'} {skipped} hooks without effect
        </button>
      )}
    </>
  );
}

function ChainStep({
  of,
  most,
  decidedBy,
}: {
  readonly of: TraceStep;
  readonly most: number;
  readonly decidedBy: string | undefined;
}) {
  const { hook, priority, stage, effect, paths = [], changes = [], decision, reason, ms } = of;
  const isOverruled = effect === 'decided' && decidedBy !== undefined && decidedBy !== hook;
  const word = effect === 'decided' && decision ? decision : effect;
  const tone =
    effect === 'decided' && /deny|abort/.test(decision ?? '')
      ? 'refused'
      : effect === 'decided' && decision === 'suspend'
        ? 'waiting'
        : effect;
  const withValues = new Set(changes.map(({ path }) => path));
  const withoutValues = paths.filter((path) => !withValues.has(path));
  return (
    <li class={`step step-${effect}`}>
      <div class="step-head">
        <span class="priority" title="priority: lower runs first">
          {priority}
        </span>
        <MarkIcon of={tone} />
        <Text in="strong" of={hook} />
        <Text in="span" class="faint" of={stage} />
        <span class={`effect effect-${tone}`}>
          <Text of={word} />
          {isOverruled && ' · overruled'}
        </span>
        <span class="step-ms">
          <i aria-hidden="true" style={{ width: `${ms === 0 ? 0 : Math.max(2, (ms / most) * 48)}px` }} />
          {ms === 0 ? '<1 ms' : showMs(ms)}
        </span>
      </div>
      {reason !== undefined && <Text in="p" class="step-reason" of={reason} />}
      {changes.map((change) => (
        <ChangeView key={change.path} of={change} />
      ))}
      {withoutValues.length > 0 && (
        <p class="step-paths">
          {withoutValues.map((path) => (
            <Text key={path} in="code" of={path} />
          ))}
          {changes.length === 0 && <span class="faint"> changed; the values were not recorded</span>}
        </p>
      )}
    </li>
  );
}
