import { useMemo, useState } from 'preact/hooks';
import { type Bar, waterfallOf } from '../model/waterfall.ts';
import { showMs, showNumber } from '../ui/format.ts';
import { Text } from '../ui/text.tsx';
import type { OpenRun } from '../wire/open-run.ts';

/** The maximum number of bars that are shown. */
const SHOWN = 500;

/** The model requests, tool calls, hooks and approvals of a run as named bars. */
export function Waterfall({ run, onSelect }: { readonly run: OpenRun; readonly onSelect: (index: number) => void }) {
  const [slowest, setSlowest] = useState(false);
  const { model } = run;
  const { value } = run.version;
  const all = useMemo(() => waterfallOf(model), [model, value]);
  const sorted = slowest ? [...all].sort((a, b) => b.selfMs - a.selfMs) : all;
  const first = Math.min(0, ...all.map(({ from }) => from));
  const total = Math.max(1, ...all.map(({ to }) => to)) - first;
  if (all.length === 0) return <p class="faint">No model request or tool call yet.</p>;
  return (
    <div class="waterfall">
      <fieldset class="segmented">
        <legend class="read-out">Order</legend>
        <button type="button" aria-pressed={!slowest} onClick={() => setSlowest(false)}>
          By start
        </button>
        <button type="button" aria-pressed={slowest} onClick={() => setSlowest(true)}>
          Slowest first
        </button>
      </fieldset>
      <ol>
        {sorted.slice(0, SHOWN).map((bar) => (
          <li key={`${bar.kind} ${bar.index} ${bar.name} ${bar.from}`}>
            <button type="button" class="bar" onClick={() => onSelect(bar.index)}>
              <span class="bar-name">
                <span class="faint">{bar.kind}</span> <Text of={nameOf(bar, model.nodes[bar.node]?.info.agent)} />
              </span>
              <span class="bar-track" aria-hidden="true">
                <i
                  class={`bar-${bar.kind}`}
                  style={{
                    left: `${((bar.from - first) / total) * 100}%`,
                    width: `max(2px, ${((bar.to - bar.from) / total) * 100}%)`,
                  }}
                />
              </span>
              <span class="bar-ms">
                {showMs(bar.selfMs)}
                {bar.to - bar.from - bar.selfMs > 1 && <span class="faint"> of {showMs(bar.to - bar.from)}</span>}
                {bar.open && <span class="faint"> so far</span>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {all.length > SHOWN && <p class="faint">… and {showNumber(all.length - SHOWN)} more.</p>}
      <p class="faint">
        Each duration excludes that of sub-agents inside. Wrappers and stream operators of hooks count for their step.
      </p>
    </div>
  );
}

/** The name of a bar, with the agent if it is a sub-agent. */
function nameOf({ name, node }: Bar, agent = ''): string {
  return node === 0 ? name : `${agent}: ${name}`;
}
