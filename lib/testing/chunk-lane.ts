import type { ChunkEvent } from '../events/hook-event.ts';
import { createLane } from '../pipeline/chunks/lane.ts';
import type { BlockLane } from '../pipeline/chunks/lane-host.ts';
import type { StepFailure } from '../pipeline/run/step-failure.ts';
import { type StepScope, takeTolerated } from '../pipeline/run/step-scope.ts';

/** The chunk stages of a step, fed with chunk events: each goes to its block, which its last chunk ends. */
export function chunkLane(
  step: StepScope,
  type: ChunkEvent['type'],
  out: {
    left: (chunk: ChunkEvent, template: ChunkEvent) => void;
    fail: (thrown: unknown) => void;
    tolerated: (failure: StepFailure) => void;
    over: () => void;
  },
) {
  const stages = step.scope.plan.lanes[type];
  const blocks = new Map<string | number, BlockLane<ChunkEvent>>();
  let closed = false;
  const close = (then: () => void): void => {
    closed = true;
    for (const failure of takeTolerated(step)) out.tolerated(failure);
    then();
  };
  const lane = createLane<ChunkEvent>(step, stages, {
    left: out.left,
    finished: () => {
      closed = true;
    },
    aborted: (chunk, template) => {
      out.left(chunk, template);
      close(out.over);
    },
    failed: (failure) => close(() => out.fail(failure)),
    drained: () => close(out.over),
  });
  return {
    push(event: ChunkEvent): void {
      if (closed) return;
      const key = event.type === 'reasoningChunk' ? event.block : event.toolCall.id;
      const { seq: _, time: __, notes: ___, decision: ____, ...rest } = event;
      const empty = event.type === 'reasoningChunk' ? { delta: '' } : { content: '' };
      const block = blocks.get(key) ?? lane.open({ ...rest, ...empty, last: false } as ChunkEvent);
      blocks.set(key, block);
      if (event.last) block.end();
      else block.push({ ...event } as ChunkEvent);
    },
    end(): void {
      if (!closed) lane.end();
    },
    discard: () => lane.discard(),
  };
}
