import type { Observable } from 'rxjs';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { ChunkOperators, Handlers } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createChunkRoom } from './chunk-room.ts';
import type { KnownRuns } from './known-runs.ts';
import { type ChunkRewriter, streamChunks } from './stream-chunks.ts';

/** Maximum number of buffered characters before sources are stopped. */
const ROOM = 1 << 20;

/** Kinds of chunks that a process can receive. */
export type ChunkKind = 'reasoning' | 'acting';

/** Returns the parts of a hook that send its chunks through a process. */
export function chunkParts(
  kinds: readonly ChunkKind[],
  process: Pick<ChunkRewriter, 'name' | 'starts' | 'ask' | 'notify'>,
  runs: KnownRuns,
): { readonly on: Handlers; readonly through: ChunkOperators } {
  const room = createChunkRoom(ROOM);
  let streams = 0;
  const nextStream = (): number => {
    streams += 1;
    return streams;
  };
  const rewriter: ChunkRewriter = { ...process, room, nextStream };
  const through = <C extends ChunkEvent>(chunks$: Observable<C>, context: HookContext): Observable<C> => {
    runs.meet(context);
    return streamChunks(rewriter, chunks$);
  };
  const reasoning = kinds.includes('reasoning');
  const acting = kinds.includes('acting');
  return {
    on: {
      ...(reasoning && { reasoningChunk: (event) => room.wait(event) }),
      ...(acting && { actingChunk: (event) => room.wait(event) }),
    },
    through: { ...(reasoning && { reasoningChunk: through }), ...(acting && { actingChunk: through }) },
  };
}
