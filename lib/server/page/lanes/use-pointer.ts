import { useRef } from 'preact/hooks';
import type { LanesState } from './lanes-state.ts';
import type { Window } from './window.ts';

/** Handles the pointer: dragging moves along the lanes, the wheel zooms with Ctrl and moves with Shift, a click selects. */
export function usePointer(
  state: LanesState,
  window: Window,
  width: number,
  on: { hover: (x: number | undefined, y: number) => void; press: (x: number, y: number) => void },
) {
  const drag = useRef<{ x: number; window: Window; moved: boolean } | undefined>(undefined);
  const at = (event: MouseEvent): [number, number] => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      drag.current = { x: event.clientX, window, moved: false };
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const { current } = drag;
      if (!current) return on.hover(...at(event));
      const by = event.clientX - current.x;
      if (Math.abs(by) > 3) current.moved = true;
      if (!current.moved) return;
      const span = current.window.to - current.window.from;
      state.setWindow({ from: current.window.from - (by / width) * span, to: current.window.to - (by / width) * span });
    },
    onPointerUp(event: PointerEvent) {
      if (drag.current && !drag.current.moved) on.press(...at(event));
      drag.current = undefined;
    },
    onPointerLeave: () => on.hover(undefined, 0),
    onWheel(event: WheelEvent) {
      const [x] = at(event);
      const about = window.from + (x / width) * (window.to - window.from);
      if (event.ctrlKey || event.metaKey || event.altKey) state.zoom(Math.exp(-event.deltaY / 250), about);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        state.move((event.deltaX || event.deltaY) / width);
      else return;
      event.preventDefault();
    },
  };
}
