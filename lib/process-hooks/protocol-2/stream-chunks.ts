import { map, Observable, type Subscription } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { chunkText, withText } from '../../events/chunk-text.ts';
import { abort } from '../../events/decisions/abort.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { batchHead } from './batch-head.ts';
import { type ChunkReply, chunkReplySchema } from './chunk-batch.ts';
import type { ChunkRoom } from './chunk-room.ts';

/** Maximum text of a batch, so that a line stays far below the limits of both sides. A longer chunk is sent alone. */
const BATCH = 1 << 18;

/** Rewrites the chunks of one hook's process. */
export interface ChunkRewriter {
  readonly name: string;
  readonly room: ChunkRoom;
  /** Returns a number that no other stream of the hook has. */
  nextStream(): number;
  /** Number of the process start that answered last. Buffered text is lost with a process. */
  readonly starts: () => number;
  ask(method: string, params: JsonObject): Observable<unknown>;
  notify(method: string, params: JsonObject): void;
}

/**
 * Sends the chunks of one block through a process, one batch at a time. Chunks that arrive meanwhile are in the next batch. Only replies of the
 * process are emitted.
 */
export function streamChunks<C extends ChunkEvent>(rewriter: ChunkRewriter, chunks$: Observable<C>): Observable<C> {
  return new Observable<C>((subscriber) => {
    const { name, room } = rewriter;
    const stream = rewriter.nextStream();
    let waiting: string[] = [];
    let held = 0;
    let template: C | undefined;
    let marks: Marks = {};
    let asked: Subscription | undefined;
    let starts: number | undefined;
    let ended = false;
    /** True from a batch until its whole reply is emitted, because emitting may bring the next chunks synchronously. */
    let busy = false;
    /** True if the process knows the end of the stream, or never received it. */
    let settled = true;

    function nextBatch(): string[] {
      let length = 0;
      let count = 0;
      for (; count < waiting.length; count++) {
        length += waiting[count]?.length ?? 0;
        if (count > 0 && length > BATCH) break;
      }
      const taken = waiting.slice(0, count);
      waiting = waiting.slice(count);
      return taken;
    }

    function ask(first: C): void {
      const chunks = nextBatch();
      const last = ended && waiting.length === 0;
      settled = false;
      busy = true;
      const reply$ = rewriter.ask('hook.chunks', { ...batchHead(first, stream), chunks, last });
      asked = reply$.pipe(map(read)).subscribe({
        next(reply) {
          release(lengthOf(chunks));
          take(first, reply, last);
        },
        error: (thrown) => subscriber.error(thrown),
      });
    }

    function read(given: unknown): ChunkReply {
      starts ??= rewriter.starts();
      if (starts !== rewriter.starts())
        throw failed(name, 'was restarted in the middle of a stream, and the text that it held is lost.');
      const reply = chunkReplySchema.safeParse(given);
      if (reply.success) return reply.data;
      throw failed(name, `gave no reply to hook.chunks. ${z.prettifyError(reply.error)}`);
    }

    function take(first: C, { chunks = [], finish, abort: reason }: ChunkReply, last: boolean): void {
      settled = last || finish === true || reason !== undefined;
      if (reason !== undefined) {
        subscriber.next(abort<ChunkEvent>(withText(first, ''), reason) as C);
        return;
      }
      for (const text of chunks) {
        if (subscriber.closed) return;
        if (text === '') continue;
        const own = marks;
        marks = {};
        subscriber.next({ ...withText(first, text), ...own });
      }
      busy = false;
      if (settled) subscriber.complete();
      else if (waiting.length > 0 || ended) ask(first);
    }

    function release(characters: number): void {
      held -= characters;
      room.free(characters);
    }

    subscriber.add(() => {
      asked?.unsubscribe();
      release(held);
      if (settled || !template) return;
      settled = true;
      rewriter.notify('hook.discard', { stream, run: template.run.runId });
    });
    subscriber.add(
      chunks$.subscribe({
        next(chunk) {
          const text = chunkText(chunk);
          template ??= bare(chunk);
          marks = { ...marks, ...marksOf(chunk) };
          if (text === '') return;
          waiting.push(text);
          held += text.length;
          room.add(text.length);
          if (!busy) ask(template);
        },
        error: (thrown) => subscriber.error(thrown),
        complete() {
          ended = true;
          // A hook cannot be called about a block without chunks.
          if (!template) subscriber.complete();
          else if (!busy) ask(template);
        },
      }),
    );
  });
}

function failed(name: string, what: string): HooklineError {
  return new HooklineError('PROCESS_FAILED', `Hook process "${name}" ${what}`);
}

/** Data of earlier hooks on a chunk, without its text. It is added to the next emitted chunk. */
type Marks = Pick<ChunkEvent, 'decision' | 'notes'>;

function marksOf({ decision, notes }: ChunkEvent): Marks | undefined {
  if (decision === undefined && notes === undefined) return undefined;
  return { ...(decision && { decision }), ...(notes && { notes }) };
}

function bare<C extends ChunkEvent>({ decision: _, notes: __, ...chunk }: C): C {
  return chunk as C;
}

function lengthOf(chunks: readonly string[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
