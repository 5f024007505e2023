import type { LanesState } from '../lanes/lanes-state.ts';
import { marks } from '../model/mark-of.ts';
import { MarkIcon } from '../ui/icons.tsx';
import type { OpenRun } from '../wire/open-run.ts';

/** The legend of the lanes, and the controls of the view. */
export function LanesBar({ run, state }: { readonly run: OpenRun; readonly state: LanesState }) {
  const { value: axis } = state.axis;
  return (
    <div class="lanes-bar">
      <ul class="legend" aria-label="Signs">
        {marks.map((mark) => (
          <li key={mark}>
            <MarkIcon of={mark} /> {mark}
          </li>
        ))}
      </ul>
      <div class="tools">
        {run.state.value !== 'ended' && (
          <button
            type="button"
            class="toggle"
            aria-pressed={state.following.value}
            title="Follow the newest event (f)"
            onClick={() => {
              state.following.value = !state.following.value;
            }}
          >
            Follow
          </button>
        )}
        <fieldset class="segmented">
          <legend class="read-out">Along</legend>
          {(['time', 'order'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={axis === one}
              onClick={() => axis !== one && state.turnAxis()}
              title={`By ${one} (o)`}
            >
              {one === 'time' ? 'Time' : 'Order'}
            </button>
          ))}
        </fieldset>
        <div class="segmented">
          <button type="button" onClick={() => state.zoom(1 / 1.6)} aria-label="Zoom out" title="Zoom out (−)">
            −
          </button>
          <button type="button" onClick={state.showAll} title="Fit the run (0)">
            Fit
          </button>
          <button type="button" onClick={() => state.zoom(1.6)} aria-label="Zoom in" title="Zoom in (+)">
            +
          </button>
        </div>
      </div>
    </div>
  );
}
