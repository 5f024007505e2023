import { type ChunkEvent, EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';

/** Returns the fields that identify the stream of a batch. */
export function batchHead(chunk: ChunkEvent, stream: number): JsonObject {
  const { type, run, iteration, attempt } = chunk;
  const { runId, sessionId, agent } = run;
  return {
    type,
    stream,
    run: runId,
    sessionId,
    agent,
    iteration,
    attempt,
    format: EVENT_FORMAT_VERSION,
    ...(chunk.type === 'actingChunk'
      ? { toolCall: chunk.toolCall }
      : {
          part: chunk.part,
          block: chunk.block,
          ...(chunk.toolCallId !== undefined && { toolCallId: chunk.toolCallId }),
        }),
  };
}
