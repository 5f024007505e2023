import type { RunModel } from '../model/run-model.ts';
import { showMs } from '../ui/format.ts';
import type { LanesState } from './lanes-state.ts';
import { ticksOf } from './window.ts';

/** The scale above the lanes; dragging along it selects the events one by one. */
export function Ruler({
  state,
  model,
  width,
}: {
  readonly state: LanesState;
  readonly model: RunModel;
  readonly width: number;
}) {
  const { value: window } = state.window;
  const scale = width / (window.to - window.from);
  const scrub = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') box.setPointerCapture(event.pointerId);
    const place = window.from + (event.clientX - box.getBoundingClientRect().left) / scale;
    const index = state.axis.value === 'order' ? Math.round(place) : model.at(place + model.times.at(0));
    state.select(Math.min(Math.max(index, 0), model.events.length - 1));
  };
  return (
    <div class="ruler" onPointerDown={scrub} onPointerMove={scrub} aria-hidden="true">
      {ticksOf(window, width).map((tick) => (
        <span key={tick} style={{ transform: `translateX(${(tick - window.from) * scale}px)` }}>
          {state.axis.value === 'order' ? tick : tick === 0 ? '0' : showMs(tick)}
        </span>
      ))}
    </div>
  );
}
