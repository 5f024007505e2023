import { useEffect, useMemo } from 'preact/hooks';
import type { RunView } from '../../runs/run-view.ts';
import { places } from '../app/route.ts';
import { seenBy } from '../model/conversation.ts';
import { lanes } from '../model/run-model.ts';
import { SeenMessage } from '../run/conversation-view.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { showMs } from '../ui/format.ts';
import { StatePill } from '../ui/pill.tsx';
import { Text } from '../ui/text.tsx';
import { stateOf } from '../wire/activity.ts';
import { type OpenRun, openLiveRun } from '../wire/open-run.ts';

const ACTING = lanes.indexOf('preActing');
const MOST_TOOLS = 5;

/** A run of a session: the messages that the user saw, live, and its outcome. `goesOn`: another run has resumed it, which shows the outcome. */
export function Turn({ run, goesOn }: { readonly run: RunView; readonly goesOn: boolean }) {
  const open = useMemo(() => openLiveRun(run.runId), [run.runId]);
  useEffect(() => () => open.close(), [open]);
  const { value } = open.version;
  const { model } = open;
  const all = useMemo(() => seenBy(model, 0, model.events.length - 1), [model, value]);
  const end = model.nodes[0]?.end;
  // The pending calls are shown as cards.
  const seen = end?.outcome === 'suspended' && all.at(-1)?.from === 'notice' ? all.slice(0, -1) : all;
  const tools = toolsOf(open);
  const state = stateOf(run);
  return (
    <section class="turn" aria-label={`Run: ${run.title ?? run.runId}`}>
      {seen.map((one) => (
        <SeenMessage key={`${one.index} ${one.from} ${one.withdrawn}`} of={one} />
      ))}
      <ErrorNotice of={open.error.value} />
      {!goesOn && (
        <footer class="turn-end faint">
          <StatePill of={{ ...run, state }} />
          {tools.length > 0 && (
            <span>
              <Text of={tools.slice(0, MOST_TOOLS).join(', ')} />
              {tools.length > MOST_TOOLS && ` and ${tools.length - MOST_TOOLS} more`}
            </span>
          )}
          {run.endedAt !== undefined && <span>{showMs(Date.parse(run.endedAt) - Date.parse(run.startedAt))}</span>}
          <a href={places.run(run.runId)}>Open run</a>
        </footer>
      )}
    </section>
  );
}

/** The names of the called tools, each once. */
function toolsOf({ model }: OpenRun): readonly string[] {
  const calls = model.nodes[0]?.byLane[ACTING];
  const names = new Set<string>();
  for (let at = 0; calls && at < calls.length; at += 1) {
    const event = model.events[calls.at(at)];
    if (event?.type === 'preActing') names.add(event.toolCall.name);
  }
  return [...names];
}
