import { EMPTY, isObservable, type Observable, type Subscription } from 'rxjs';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import { ignoreRejection, isAsync } from '../../events/values/is-async.ts';
import type { OnStage } from '../define/plan.ts';
import { Fifo } from '../flow/fifo.ts';
import { accept, assertNothingForgotten, contract } from '../gate/accept.ts';
import { withTimeout } from '../run/handler-timeout.ts';
import type { Lease } from '../run/run-scope.ts';
import { hookFailure, logFailure } from '../run/step-failure.ts';
import { tolerate } from '../run/step-scope.ts';
import { defaultTimeouts } from '../settings.ts';
import { type Effect, effectOf, type JoinedText, joinedTextFor } from '../trace/tracer.ts';
import type { Block } from './block.ts';

/**
 * A chunk handler in one block: what follows when it does more than to return its chunk, changed or not. While it works asynchronously,
 * later chunks queue behind it.
 */
export class HandlerStage<C extends ChunkEvent> {
  busy = false;
  readonly #block: Block<C>;
  readonly stage: OnStage;
  readonly #place: number;
  readonly #inbox = new Fifo<C>();
  #draining = false;
  #cut = false;
  #work: Subscription | undefined = undefined;
  /** When the handler was called last; it is not called while it works. */
  #began = 0;
  readonly text: JoinedText | undefined;

  constructor(block: Block<C>, stage: OnStage, place: number) {
    this.#block = block;
    this.stage = stage;
    this.#place = place;
    this.text = joinedTextFor(block.lane.step.scope);
  }

  /** The handler is about to be called with `chunk`. */
  begin(chunk: C): void {
    if (!this.text) return;
    this.#began = this.#block.lane.step.scope.settings.scheduler.now();
    this.text.heard(chunkText(chunk));
  }

  /** Takes a chunk that comes while the handler works. */
  queue(chunk: C): void {
    const { lane } = this.#block;
    // The last chunk is no source's: without it the block would never end.
    if (!chunk.last && !lane.admit(this.#inbox)) return;
    this.#inbox.push(chunk);
    lane.hold();
  }

  /**
   * What follows from what the handler returned for the chunk: the chunk to go on with, or nothing where it has been dropped, waited for
   * or sent on. Throws what breaks the handler's contract.
   */
  answer(chunk: C, returned: unknown, lease: Lease): C | undefined {
    const { hook } = this.stage;
    if (returned === undefined || returned === chunk) {
      assertNothingForgotten(hook, chunk, chunk);
      this.trace(chunk, chunk);
      return chunk;
    }
    if (returned === EMPTY) {
      assertNothingForgotten(hook, chunk, chunk);
      return chunk.last ? chunk : undefined;
    }
    if (isAsync(returned)) {
      // The context goes with the handler; the next chunk gets its own.
      this.#block.lane.step.scope.leases[this.stage.index] = undefined;
      this.waitFor(chunk, returned, lease);
      return undefined;
    }
    return this.sendAll(chunk, this.acceptAll(chunk, returned));
  }

  /** What follows from what the handler, or `answer`, threw. */
  failed(chunk: C, thrown: unknown): C | undefined {
    const block = this.#block;
    const { hook } = this.stage;
    const { step } = block.lane;
    const failure = hookFailure(hook.name, `on.${chunk.type}`, thrown);
    logFailure(step.scope.log, chunk.type, failure);
    if (hook.onFailure === 'skip') {
      tolerate(step, failure);
      // A copy, so that nothing the handler did with helpers is laid at the next one's door.
      const copy: C = Object.freeze({ ...chunk });
      this.text?.said(chunkText(copy));
      this.tell(chunk, copy, { effect: 'failed', reason: failure.message });
      return copy;
    }
    this.tell(chunk, failure, { effect: 'failed', reason: failure.message });
    block.fail(failure);
    return undefined;
  }

  /** Drops what it has, without flushing. */
  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    this.#work?.unsubscribe();
    this.#block.lane.release(this.#inbox.length + (this.busy ? 1 : 0));
    this.#inbox.clear();
  }

  /** `more` says that other chunks may follow, one of which may carry what the handler has decided. */
  private acceptAll(chunk: C, returned: unknown, more = false): C[] {
    const { hook } = this.stage;
    const given: unknown[] = Array.isArray(returned) ? returned : [returned];
    for (const item of given) ignoreRejection(item);
    const decided = given.some((item) => isDecided(chunk, item as C));
    if (!decided && !more) assertNothingForgotten(hook, chunk, chunk);
    return given.map((item) => {
      if (item === undefined) throw contract(hook, chunk.type, 'returned an array that holds undefined.');
      const accepted = accept(hook, chunk, item, decided || (more && item !== chunk));
      this.trace(chunk, accepted);
      // A copy: what the handler yet decides on the chunk must not be laid at a later one's door.
      if (accepted !== chunk || !(more || given.length > 1)) return Object.freeze(accepted);
      return this.made(accepted, { ...accepted });
    });
  }

  /** Sends on what came of `chunk`; what may stay in the caller's loop is given back. */
  private sendAll(chunk: C, chunks: readonly C[]): C | undefined {
    const block = this.#block;
    const behind = this.#place + 1;
    const { last } = chunk;
    const [first] = chunks;
    if (first && chunks.length === 1 && !last && first.decision === chunk.decision) return first;
    for (const next of chunks) {
      const decided = next.decision === chunk.decision ? undefined : next.decision?.action;
      if (decided === 'abort') {
        block.abort(next);
        return undefined;
      }
      if (decided === 'finish') {
        if (last && chunkText(next) !== '') block.enter(behind, this.withoutDecision(next));
        block.finishAt(this.#place, last ? this.made(next, { ...next, [block.content]: '' }) : next);
        return undefined;
      }
      // The last chunk is the engine's own; text that a handler gives in its place goes before it.
      if (!last) block.enter(behind, next);
      else if (chunkText(next) !== '') block.enter(behind, this.made(next, { ...next, last: false }));
    }
    return last ? chunk : undefined;
  }

  /** Text that a handler gives in place of the last chunk, as a chunk before it. */
  private withoutDecision(decided: C): C {
    const { decision: _, ...chunk } = decided;
    return this.made(decided, { ...chunk, last: false } as unknown as C);
  }

  private made(from: C, chunk: C): C {
    this.#block.lane.step.scope.tracer?.carry(from, chunk);
    return Object.freeze(chunk);
  }

  private waitFor(chunk: C, answer: PromiseLike<unknown> | Observable<unknown>, lease: Lease): void {
    const { hook } = this.stage;
    const { lane } = this.#block;
    const timing = { hook, where: `on.${chunk.type}`, ms: defaultTimeouts.on, lease };
    const more = isObservable(answer);
    const { last } = chunk;
    let answered = false;
    let decided = false;
    let done = false;
    this.busy = true;
    lane.hold();
    const release = (rest: C | undefined): void => {
      if (done) return;
      done = true;
      if (this.#cut) return;
      this.busy = false;
      this.#work = undefined;
      if (rest) this.#block.enter(this.#place + 1, rest);
      this.drain();
      lane.release();
    };
    const fail = (thrown: unknown): void => {
      const rest = this.failed(chunk, thrown);
      release(answered && !last ? undefined : rest);
    };
    const subscription = withTimeout(answer, lane.step.scope.settings, timing).subscribe({
      next: (value) => {
        if (done || this.#cut) return;
        answered = true;
        try {
          const chunks = this.acceptAll(chunk, value === undefined ? chunk : value, more);
          decided ||= chunks.some((one) => isDecided(chunk, one));
          const rest = this.sendAll(chunk, chunks);
          if (rest && !last) this.#block.enter(this.#place + 1, rest);
        } catch (thrown) {
          release(this.failed(chunk, thrown));
        }
      },
      error: fail,
      complete: () => {
        if (done || this.#cut) return;
        try {
          if (!decided) assertNothingForgotten(hook, chunk, chunk);
          release(last ? chunk : undefined);
        } catch (thrown) {
          fail(thrown);
        }
      },
    });
    if (done || this.#cut) subscription.unsubscribe();
    else this.#work = subscription;
  }

  /** Goes on with what has queued up. A handler that answers at once comes back here from within the loop. */
  private drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    while (!this.busy && !this.#cut && this.#inbox.length > 0) {
      this.#block.enter(this.#place, this.#inbox.shift() as C);
      this.#block.lane.release();
    }
    this.#draining = false;
  }

  /** Text that is only cut anew is not changed; where some was dropped, what comes next tells of it. */
  private trace(before: C, after: C): void {
    if (!this.text) return;
    // A chunk may hold half a secret, which no redactor knows.
    const { values: _, ...told } = effectOf(before, after);
    const same = this.text.said(chunkText(after));
    if (same === undefined || told.effect === 'decided') this.tell(before, after, told);
    else if (same) this.tell(before, after, { effect: 'passed' });
    else this.tell(before, after, { effect: 'changed', paths: told.paths ?? [this.#block.content] });
  }

  private tell(before: C, after: object, effect: Effect): void {
    const { tracer, settings } = this.#block.lane.step.scope;
    const { name, priority } = this.stage.hook;
    const ms = settings.scheduler.now() - this.#began;
    tracer?.step(before, after, { hook: name, priority, stage: 'on', ...effect, ms });
  }
}

function isDecided(chunk: ChunkEvent, item: ChunkEvent | null | undefined): boolean {
  return item?.decision !== undefined && item.decision !== chunk.decision;
}
