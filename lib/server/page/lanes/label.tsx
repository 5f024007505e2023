import { lanes as laneNames, type RunModel } from '../model/run-model.ts';
import { Text } from '../ui/text.tsx';
import type { LanesState } from './lanes-state.ts';
import type { Track } from './tracks.ts';

/** The name of a line of the lanes; that of a sub-agent expands it. */
export function Label({
  track: { node, lane, height },
  model,
  state,
}: {
  readonly track: Track;
  readonly model: RunModel;
  readonly state: LanesState;
}) {
  const own = model.nodes[node];
  if (!own) return null;
  const style = { height: `${height}px` };
  if (lane !== undefined)
    return (
      <div class="lane-label" style={{ ...style, paddingLeft: `${own.depth * 12}px` }}>
        <span>{laneNames[lane]}</span>
        <span class="count">{own.byLane[lane]?.length || ''}</span>
      </div>
    );
  const isOpen = state.unfolded.value.has(node);
  return (
    <button
      type="button"
      class="agent-label"
      style={{ ...style, paddingLeft: `${(own.depth - 1) * 12}px` }}
      aria-expanded={isOpen}
      onClick={() => state.unfold(node)}
    >
      <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <Text of={own.info.agent} />
    </button>
  );
}
