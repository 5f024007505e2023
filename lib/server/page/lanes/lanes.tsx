import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Approval } from '../../approvals/approval.ts';
import { describeEvent } from '../model/describe-event.ts';
import type { RunModel } from '../model/run-model.ts';
import { showMs } from '../ui/format.ts';
import { Text } from '../ui/text.tsx';
import { colours } from '../ui/theme.ts';
import type { OpenRun } from '../wire/open-run.ts';
import { type Bin, binTrack } from './bins.ts';
import { drawLanes } from './draw-lanes.ts';
import { Label } from './label.tsx';
import type { LanesState } from './lanes-state.ts';
import { nearest } from './nearest.ts';
import { Overview } from './overview.tsx';
import { readPalette } from './palette.ts';
import { prepareCanvas } from './prepare-canvas.ts';
import { Ruler } from './ruler.tsx';
import { heightOf, tracksOf } from './tracks.ts';
import { usePointer } from './use-pointer.ts';
import { type Axis, placeOf } from './window.ts';

/** The lanes, and the pending calls of the run. */
export interface LanesProps {
  readonly run: OpenRun;
  readonly state: LanesState;
  readonly waiting: readonly Approval[];
}

/** The lanes of a run: when events occurred, and how hooks changed them. */
export function Lanes({ run, state, waiting }: LanesProps) {
  const { model, version } = run;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState<{ x: number; y: number; index: number } | undefined>();
  const nodes = model.nodes.length;
  const tracks = useMemo(() => tracksOf(model, state.unfolded.value), [model, nodes, state.unfolded.value]);
  const { value: window } = state.window;
  const { value: axis } = state.axis;
  const { value: end } = state.end;
  const waits = useMemo(() => waiting.map((call) => waitOf(model, axis, call)), [model, axis, waiting]);

  useLayoutEffect(() => {
    const watching = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watching.observe(box.current as HTMLDivElement);
    return () => watching.disconnect();
  }, []);
  // Computed once for the visible part; hovering and selecting only move the layers above.
  const bins = useMemo<readonly Bin[]>(
    () => (width > 0 ? tracks.map((track) => binTrack(model, track, { axis, window, end, waits }, width)) : []),
    [model, version.value, tracks, axis, window, end, waits, width],
  );
  const summary = useMemo(() => summaryOf(model), [model, version.value]);
  const { value: colour } = colours;
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return;
    drawLanes(prepareCanvas(canvas.current, width, heightOf(tracks)), tracks, bins, width, readPalette());
  }, [bins, tracks, width, colour]);

  const scale = width / (window.to - window.from);
  const x = (index: number) => (placeOf(model, axis, index) - window.from) * scale;
  const pointer = usePointer(state, window, width, {
    hover: (px, py) => {
      const index = px === undefined ? -1 : nearest(tracks, bins, model, { x: px, y: py, window, scale, axis });
      setHover(index < 0 || px === undefined ? undefined : { x: x(index), y: py, index });
    },
    press: (px, py) => {
      const index = nearest(tracks, bins, model, { x: px, y: py, window, scale, axis });
      if (index >= 0) state.select(index);
    },
  });
  const { value: selected } = state.selected;
  return (
    <section class="lanes" aria-label="Lanes">
      <div class="lanes-labels">
        <div class="ruler-label">{axis === 'time' ? 'since the start of the run' : 'event'}</div>
        {tracks.map((track) => (
          <Label key={`${track.node} ${track.lane}`} track={track} model={model} state={state} />
        ))}
      </div>
      <div class="lanes-box" ref={box}>
        <Ruler state={state} model={model} width={width} />
        <div class={hover ? 'lanes-area pointing' : 'lanes-area'} {...pointer}>
          <canvas ref={canvas} role="img" aria-label={summary} />
          {selected >= 0 && inView(x(selected), width) && (
            <div class="cursor" style={{ transform: `translateX(${x(selected)}px)` }} />
          )}
          {hover && (
            <div
              class={hover.x > width - 260 ? 'tip tip-left' : 'tip'}
              style={{ transform: `translate(${hover.x}px, ${hover.y}px)` }}
              aria-hidden="true"
            >
              <Tip model={model} index={hover.index} />
            </div>
          )}
        </div>
      </div>
      <Overview run={run} state={state} width={width} />
    </section>
  );
}

function Tip({ model, index }: { readonly model: RunModel; readonly index: number }) {
  const event = model.events[index]!;
  const ms = model.hookMs.at(index);
  return (
    <>
      <strong>{event.type}</strong> <Text of={describeEvent(event).slice(0, 80)} />
      {ms > 0 && <span class="faint"> · hooks {showMs(ms)}</span>}
    </>
  );
}

function inView(x: number, width: number): boolean {
  return x >= -1 && x <= width + 1;
}

function summaryOf({ events, counts, nodes }: RunModel): string {
  const [, changed, decided, waiting, refused, failed] = counts;
  return `${events.length} events in nine lanes${nodes.length > 1 ? `, with ${nodes.length - 1} sub-agents` : ''}: ${changed} changed, ${decided} decided, ${waiting} waiting, ${refused} refused, ${failed} failed. The list of events below describes each one.`;
}

function waitOf(model: RunModel, axis: Axis, { agent, suspendedAt }: Approval) {
  const node = Math.max(
    0,
    model.nodes.findLastIndex(({ info }) => info.agent === agent),
  );
  const from = axis === 'order' ? model.events.length - 1 : Date.parse(suspendedAt) - model.times.at(0);
  return { node, from };
}
