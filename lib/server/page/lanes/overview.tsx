import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { colours } from '../ui/theme.ts';
import type { OpenRun } from '../wire/open-run.ts';
import type { LanesState } from './lanes-state.ts';
import { readPalette } from './palette.ts';
import { prepareCanvas } from './prepare-canvas.ts';
import { placesAlong } from './window.ts';

const HEIGHT = 28;

/** The whole run in one line, with the visible part, which can be dragged. */
export function Overview({
  run,
  state,
  width,
}: {
  readonly run: OpenRun;
  readonly state: LanesState;
  readonly width: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { model, version } = run;
  const [{ value: whole }, { value: window }, { value: axis }] = [state.whole, state.window, state.axis];
  const scale = width / (whole.to - whole.from);
  const columns = useMemo(() => {
    const [counts, most] = [new Uint16Array(Math.max(width, 1)), new Uint8Array(Math.max(width, 1))];
    const place = placesAlong(model, axis);
    const { values: marks } = model.mark;
    for (let index = 0; index < model.events.length; index += 1) {
      const x = Math.floor((place(index) - whole.from) * scale);
      counts[x] = (counts[x] as number) + 1;
      const mark = marks[index] as number;
      if (mark > (most[x] as number)) most[x] = mark;
    }
    return { counts, most };
  }, [model, version.value, axis, whole, width]);
  const { value: colour } = colours;
  useLayoutEffect(() => {
    if (!canvas.current || width === 0) return;
    const pen = prepareCanvas(canvas.current, width, HEIGHT);
    const palette = readPalette();
    const highest = columns.counts.reduce((a, b) => Math.max(a, b), 1);
    for (const [x, count] of columns.counts.entries()) {
      if (count === 0) continue;
      const mark = columns.most[x] ?? 0;
      const high = mark > 0 ? HEIGHT - 8 : 4 + ((HEIGHT - 14) * Math.log1p(count)) / Math.log1p(highest);
      pen.fillStyle = mark > 0 ? (palette.marks[mark] as string) : palette.chunks;
      pen.fillRect(x, HEIGHT - 3 - high, mark > 0 ? 2 : 1, high);
    }
  }, [columns, width, colour]);

  const [left, right] = [(window.from - whole.from) * scale, (window.to - whole.from) * scale];
  const drag = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') box.setPointerCapture(event.pointerId);
    const middle = whole.from + (event.clientX - box.getBoundingClientRect().left) / scale;
    const half = (window.to - window.from) / 2;
    state.setWindow({ from: middle - half, to: middle + half });
  };
  const isWhole = right - left >= width - 1;
  return (
    <div class="overview" onPointerDown={drag} onPointerMove={drag} aria-hidden="true">
      <canvas ref={canvas} />
      {!isWhole && (
        <div
          class="overview-window"
          style={{ transform: `translateX(${left}px)`, width: `${Math.max(right - left, 6)}px` }}
        />
      )}
    </div>
  );
}
