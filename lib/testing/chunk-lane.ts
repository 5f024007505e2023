import type { Observable } from 'rxjs';
import type { ChunkEvent, SettledEvent } from '../events/hook-event.ts';
import { streamThroughLane } from '../pipeline/chunks/lane.ts';
import { OpenBlock } from '../pipeline/chunks/open-block.ts';
import { StepFailure } from '../pipeline/run/step-failure.ts';
import type { StepScope } from '../pipeline/run/step-scope.ts';

/** Runs the chunk stages of a step on chunk events. Each goes to its block, which its last chunk ends. Emitted chunks go to `step.consumer`. */
export function chunkLane(
  step: StepScope,
  chunks$: Observable<ChunkEvent>,
  type: ChunkEvent['type'],
): Observable<never> {
  const blocks = new Map<string | number, OpenBlock<ChunkEvent>>();
  const gathered = { stopped: false, aborted: undefined, left() {} };
  return streamThroughLane<ChunkEvent, ChunkEvent>(step, step.scope.plan.lanes[type], gathered, (lane) => ({
    start: () => chunks$,
    failureOf: (thrown) => new StepFailure('host', thrown),
    take(event) {
      const key = event.type === 'reasoningChunk' ? event.block : event.toolCall.id;
      const { seq: _, time: __, notes: ___, decision: ____, ...rest } = event as SettledEvent<ChunkEvent>;
      const empty = event.type === 'reasoningChunk' ? { delta: '' } : { content: '' };
      const block = blocks.get(key) ?? new OpenBlock(lane, { ...rest, ...empty, last: false } as ChunkEvent);
      blocks.set(key, block);
      if (event.last) block.end();
      else block.push({ ...event });
    },
  }));
}
