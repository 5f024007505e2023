import { batch, computed, type Signal, signal } from '@preact/signals';
import { now } from '../ui/now.ts';
import type { OpenRun } from '../wire/open-run.ts';
import { type Axis, endOf, moved, placeOf, type Window, wholeRun, zoomed } from './window.ts';

/** The visible part of a run, and the selected event. */
export interface LanesState {
  readonly axis: Signal<Axis>;
  /** The place of the selected event; -1: none. */
  readonly selected: Signal<number>;
  readonly unfolded: Signal<ReadonlySet<number>>;
  /** Whether the newest events stay in view. */
  readonly following: Signal<boolean>;
  readonly window: { readonly value: Window };
  readonly whole: { readonly value: Window };
  /** The end of the run; for an active run, the time of the server. */
  readonly end: { readonly value: number };
  setWindow(window: Window): void;
  showAll(): void;
  /** Zooms around a place of the axis, or the middle. */
  zoom(factor: number, about?: number): void;
  /** Moves by a share of the visible part. */
  move(share: number): void;
  turnAxis(): void;
  unfold(node: number): void;
  /** Selects an event and scrolls to it. */
  select(index: number): void;
}

/** Creates the state of the lanes of a run. Until the user zooms, the whole run is visible as it grows. */
export function createLanesState({ model, version, state }: OpenRun): LanesState {
  const axis = signal<Axis>('time');
  const chosen = signal<Window | undefined>(undefined);
  const following = signal(true);
  const selected = signal(-1);
  const unfolded = signal<ReadonlySet<number>>(new Set());
  const end = computed(() => {
    version.value;
    const goesOn = state.value === 'live' && !model.nodes[0]?.end;
    return endOf(model, axis.value, goesOn ? now.value : undefined);
  });
  const whole = computed(() => wholeRun(model, axis.value, end.value));
  const window = computed(() => {
    const [{ value: all }, own] = [whole, chosen.value];
    if (!own) return all;
    // A selected window keeps its width, and follows the end.
    return following.value ? moved(own, all.to - own.to, all) : own;
  });
  const least = () => (axis.value === 'order' ? 5 : 0.2);
  const set = (next: Window): void => {
    const { value: all } = whole;
    chosen.value = next.from <= all.from && next.to >= all.to ? undefined : moved(next, 0, all);
  };

  const lanes: LanesState = {
    end,
    axis,
    selected,
    unfolded,
    following,
    window,
    whole,
    setWindow: (next) =>
      batch(() => {
        following.value = false;
        set(next);
      }),
    showAll() {
      chosen.value = undefined;
    },
    zoom(factor, about) {
      const { value: shown } = window;
      set(zoomed(shown, factor, about ?? (shown.from + shown.to) / 2, whole.value, least()));
    },
    move(share) {
      const { value: shown } = window;
      lanes.setWindow(moved(shown, share * (shown.to - shown.from), whole.value));
    },
    turnAxis: () =>
      batch(() => {
        chosen.value = undefined;
        axis.value = axis.value === 'time' ? 'order' : 'time';
      }),
    unfold(node) {
      const next = new Set(unfolded.value);
      if (!next.delete(node)) next.add(node);
      unfolded.value = next;
    },
    select: (index) =>
      batch(() => {
        selected.value = index;
        if (index < 0) return;
        if (index < model.events.length - 1) following.value = false;
        const { value: shown } = window;
        const place = placeOf(model, axis.value, index);
        const span = shown.to - shown.from;
        if (place < shown.from || place > shown.to) set(moved(shown, place - shown.from - span / 2, whole.value));
      }),
  };
  return lanes;
}
