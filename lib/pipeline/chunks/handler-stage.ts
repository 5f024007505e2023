import { EMPTY, isObservable, type Observable, type Subscription } from 'rxjs';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import { Fifo } from '../../events/values/fifo.ts';
import { ignoreRejection, isAsync } from '../../events/values/is-async.ts';
import type { OnStage } from '../define/plan.ts';
import { accept, assertNothingForgotten, contract } from '../gate/accept.ts';
import { withTimeout } from '../run/handler-timeout.ts';
import type { Lease } from '../run/run-scope.ts';
import { hookFailure, logFailure } from '../run/step-failure.ts';
import { tolerate } from '../run/step-scope.ts';
import { defaultTimeouts } from '../settings.ts';
import { type Effect, effectOf } from '../trace/read-step.ts';
import { type JoinedText, joinedTextFor } from '../trace/tracer.ts';
import type { Block } from './block.ts';

/**
 * The state of a chunk handler in one block, for any result other than one chunk:
 *
 *     answer ──► nothing, or the chunk ──► the next stage
 *            ├─► chunks ──► sendAll ──► the next stage, one after another
 *            └─► a promise or an Observable ──► waitFor: busy, later chunks queue ──► sendAll ──► drain the queue
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
  /** Time of the last call of the handler. Calls do not overlap. */
  #began = 0;
  readonly text: JoinedText | undefined;

  constructor(block: Block<C>, stage: OnStage, place: number) {
    this.#block = block;
    this.stage = stage;
    this.#place = place;
    this.text = joinedTextFor(block.lane.step.scope);
  }

  /** Records the start of a call with `chunk`. */
  begin(chunk: C): void {
    if (!this.text) return;
    this.#began = this.#block.lane.step.scope.settings.scheduler.now();
    this.text.takeInput(chunkText(chunk));
  }

  /** Queues a chunk that arrives while the handler runs. */
  queue(chunk: C): void {
    const { lane } = this.#block;
    // The engine adds the last chunk. Without it, the block would never end.
    if (!chunk.last && !lane.admit(this.#inbox)) return;
    this.#inbox.push(chunk);
    lane.hold();
  }

  /**
   * Processes the return value of the handler. Returns the next chunk, or `undefined` if it was dropped, awaited or sent. Throws if the value
   * violates the handler's contract.
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
      // The handler keeps its context; the next chunk gets a new one.
      this.#block.lane.step.scope.leases[this.stage.index] = undefined;
      this.waitFor(chunk, returned, lease);
      return undefined;
    }
    return this.sendAll(chunk, this.acceptAll(chunk, returned));
  }

  /** Processes an error of the handler or of `answer`. */
  failed(chunk: C, thrown: unknown): C | undefined {
    const block = this.#block;
    const { hook } = this.stage;
    const { step } = block.lane;
    const failure = hookFailure(hook.name, `on.${chunk.type}`, thrown);
    logFailure(step.scope.log, chunk.type, failure);
    if (hook.onFailure === 'skip') {
      tolerate(step, failure);
      // A copy, so that decisions of the failed handler are not attributed to the next one.
      const copy: C = Object.freeze({ ...chunk });
      this.text?.takeOutput(chunkText(copy));
      this.traceEffect(chunk, copy, { effect: 'failed', reason: failure.message });
      return copy;
    }
    this.traceEffect(chunk, failure, { effect: 'failed', reason: failure.message });
    block.fail(failure);
    return undefined;
  }

  /** Stops without flushing. */
  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    this.#work?.unsubscribe();
    this.#block.lane.release(this.#inbox.length + (this.busy ? 1 : 0));
    this.#inbox.clear();
  }

  /** `more`: other chunks may follow, and one of them may carry the handler's decision. */
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
      // A copy, so that a later decision of the handler on the chunk is not attributed to a later handler.
      if (accepted !== chunk || !(more || given.length > 1)) return Object.freeze(accepted);
      return this.made(accepted, { ...accepted });
    });
  }

  /** Sends the chunks made from `chunk`. Returns the chunk that can continue in the caller's loop. */
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
      // The engine owns the last chunk. Text that a handler returns for it is sent before it.
      if (!last) block.enter(behind, next);
      else if (chunkText(next) !== '') block.enter(behind, this.made(next, { ...next, last: false }));
    }
    return last ? chunk : undefined;
  }

  /** Returns replacement text for the last chunk as a chunk before it. */
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

  /** Processes the queue. A synchronous handler re-enters here from within the loop. */
  private drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    while (!this.busy && !this.#cut && this.#inbox.length > 0) {
      this.#block.enter(this.#place, this.#inbox.shift() as C);
      this.#block.lane.release();
    }
    this.#draining = false;
  }

  /** Text that is only split differently is unchanged. The next chunk reports dropped text. */
  private trace(before: C, after: C): void {
    if (!this.text) return;
    const same = this.text.takeOutput(chunkText(after));
    if (same === undefined || isDecided(before, after)) this.traceEffect(before, after);
    else if (same) this.traceEffect(before, after, { effect: 'passed' });
    else
      this.traceEffect(before, after, { paths: [this.#block.content], ...effectOf(before, after), effect: 'changed' });
  }

  private traceEffect(before: C, after: object, effect?: Effect): void {
    const { tracer, settings } = this.#block.lane.step.scope;
    const ms = settings.scheduler.now() - this.#began;
    tracer?.step({ hook: this.stage.hook, stage: 'on', before, after, effect, ms });
  }
}

function isDecided(chunk: ChunkEvent, item: ChunkEvent | null | undefined): boolean {
  return item?.decision !== undefined && item.decision !== chunk.decision;
}
