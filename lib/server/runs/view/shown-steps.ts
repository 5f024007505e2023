import { isChunk } from '../../../events/chunk-text.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { TraceStep } from '../../../pipeline/define/hook.ts';

/** Maximum number of chunks with trace steps in a run. Each takes its own line. */
const MOST_CHUNK_EFFECTS = 1_000;

/** Selects the trace steps of a run to send. */
export interface ShownSteps {
  /** Returns the steps to send. For a chunk these are only steps with an effect, up to the maximum. */
  of(event: SettledEvent, steps: readonly TraceStep[] | undefined): readonly TraceStep[] | undefined;
  /** The number of chunks whose steps are not sent. */
  unreportedChunks(): number;
}

/** `onTrace` receives all steps. */
export function shownSteps(onTrace: (steps: readonly TraceStep[]) => void): ShownSteps {
  let chunkEffects = 0;
  return {
    of(event, steps) {
      if (!steps) return undefined;
      onTrace(steps);
      const shown = isChunk(event) ? steps.filter(({ effect }) => effect !== 'passed' && effect !== 'skipped') : steps;
      if (shown.length === 0) return undefined;
      if (isChunk(event)) chunkEffects += 1;
      return isChunk(event) && chunkEffects > MOST_CHUNK_EFFECTS ? undefined : shown;
    },
    unreportedChunks: () => Math.max(0, chunkEffects - MOST_CHUNK_EFFECTS),
  };
}
