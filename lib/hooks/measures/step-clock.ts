import { chunkText } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';

/** A duration in milliseconds by the clock of the pipeline. */
export interface Measure {
  readonly what: 'run' | 'reasoning' | 'firstToken' | 'tool';
  /** For a run the agent, for a tool its name, otherwise the model, or an empty string. */
  readonly name: string;
  readonly ms: number;
  /** The ending: the outcome, the finish reason, or `failed`. */
  readonly ended: string;
}

interface Running {
  readonly began: number;
  asked?: { readonly at: number; readonly model: string; replied: boolean } | undefined;
}

/** A clock for any number of runs. */
export interface StepClock {
  /** Processes a settled event, and returns the durations that it ends. */
  take(event: SettledEvent): readonly Measure[];
  /** Returns when the run began, if known. */
  began(run: RunInfo): number | undefined;
}

/** Creates a clock that uses only the times of events. */
export function createStepClock(): StepClock {
  const runs = new WeakMap<RunInfo, Running>();

  function take(event: SettledEvent): readonly Measure[] {
    const { run, time } = event;
    const running: Running = runs.get(run) ?? { began: time };
    runs.set(run, running);
    const { asked } = running;
    switch (event.type) {
      case 'preReasoning': {
        // A repeated step counts from its first request.
        const before = event.attempt > 1 ? asked : undefined;
        running.asked = event.decision ? undefined : { at: time, replied: false, ...before, model: event.model ?? '' };
        return [];
      }
      case 'reasoningChunk':
        if (!asked || asked.replied || chunkText(event) === '') return [];
        asked.replied = true;
        return [{ what: 'firstToken', name: asked.model, ms: time - asked.at, ended: '' }];
      case 'postReasoning':
        running.asked = undefined;
        return asked ? [{ what: 'reasoning', name: asked.model, ms: time - asked.at, ended: event.finishReason }] : [];
      case 'error':
        if (event.phase !== 'reasoning' || !asked || event.decision?.action === 'retry') return [];
        running.asked = undefined;
        return [{ what: 'reasoning', name: asked.model, ms: time - asked.at, ended: 'failed' }];
      case 'postActing':
        return [{ what: 'tool', name: event.toolCall.name, ms: event.durationMs, ended: event.outcome }];
      case 'postCall':
        return [{ what: 'run', name: run.agent, ms: time - running.began, ended: event.outcome }];
      default:
        return [];
    }
  }

  return { take, began: (run) => runs.get(run)?.began };
}
