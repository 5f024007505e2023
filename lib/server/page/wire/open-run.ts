import { type Signal, signal } from '@preact/signals';
import type { TraceStep } from '../../../pipeline/define/hook.ts';
import { isEvent, stepsIn } from '../model/is-event.ts';
import { createRunModel, type RunModel } from '../model/run-model.ts';
import { follow } from './follow.ts';

/** An open run: live from the server, or from a recording. */
export interface OpenRun {
  readonly model: RunModel;
  /** Incremented when the model has grown. */
  readonly version: Signal<number>;
  /** `live`: more events may arrive; `reading`: more of the recording follows. */
  readonly state: Signal<'reading' | 'live' | 'lost' | 'ended'>;
  /** The error in the displayed run. */
  readonly error: Signal<string>;
  readonly resumedBy: Signal<string | undefined>;
  close(): void;
}

/** Creates a run without events. `stop` are the functions that `close` calls; `changed` redraws the run. */
export function emptyRun(state: 'reading' | 'live'): OpenRun & { stop: (() => void)[]; changed(): void } {
  const stop: (() => void)[] = [];
  let due = false;
  const run = {
    model: createRunModel(),
    version: signal(0),
    state: signal<'reading' | 'live' | 'lost' | 'ended'>(state),
    error: signal(''),
    resumedBy: signal<string | undefined>(undefined),
    stop,
    changed() {
      // The page is drawn once per frame, regardless of the number of events.
      if (due) return;
      due = true;
      requestAnimationFrame(() => {
        due = false;
        run.version.value += 1;
      });
    },
    close() {
      for (const end of stop) end();
    },
  };
  return run;
}

/** Follows a run of the server. */
export function openLiveRun(runId: string): OpenRun {
  const run = emptyRun('live');
  const { model } = run;
  const steps = new Map<string, readonly TraceStep[]>();
  const lastSeq = new Map<string, number>();
  const isOver = () => model.nodes[0]?.end !== undefined;
  run.stop.push(
    follow(`/api/runs/${encodeURIComponent(runId)}/events`, {
      opened: () => {
        run.state.value = 'live';
      },
      frames(frames) {
        for (const { event, data } of frames) {
          const value = JSON.parse(data);
          if (event === 'trace') steps.set(`${value.runId} ${value.seq}`, stepsIn(value.steps));
          else if (event === 'lost') model.lost += (value.chunks ?? 0) + (value.gates ?? 0);
          else if (event === 'resumed') run.resumedBy.value = value.runId;
          else if (event === 'broken')
            run.error.value = `The run ended without its last event: ${value.reason ?? value.outcome ?? 'unknown reason'}`;
          else if (isEvent(value) && value.seq > (lastSeq.get(value.run.runId) ?? -1)) {
            lastSeq.set(value.run.runId, value.seq);
            const key = `${value.run.runId} ${value.seq}`;
            model.append(value, steps.get(key));
            steps.delete(key);
          }
        }
        run.changed();
      },
      lost: () => {
        run.state.value = 'lost';
      },
      ended(error) {
        run.state.value = 'ended';
        if (error) run.error.value = error;
      },
      isOver,
    }),
  );
  return run;
}
