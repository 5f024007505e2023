import { EMPTY, isObservable, type Observable, type Subscription } from 'rxjs';
import { lastMint } from '../../events/decisions/mint.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage } from '../define/plan.ts';
import { Fifo } from '../flow/fifo.ts';
import { accept, assertNothingForgotten, contract } from '../gate/accept.ts';
import { forget, isLater, toBounded } from '../gate/later.ts';
import type { Lease } from '../run/lease.ts';
import { leaseOf } from '../run/lease-of.ts';
import { logFailure } from '../run/log-failure.ts';
import { hookFailure } from '../run/step-failure.ts';
import { tolerate } from '../run/step-scope.ts';
import { defaultTimeouts } from '../settings.ts';
import { createJoinedText } from '../trace/joined-text.ts';
import { effectOf, type TraceStep } from '../trace/tracer.ts';
import { type Block, type HandlerStation, isPlainChange, textIn } from './station.ts';

// A local name: the loops below read it twice a handler, and an import is a property of a module object.
const mint = lastMint;

/** A chunk handler in one block. While it works asynchronously, later chunks queue behind it. */
export function createOnStation<C extends ChunkEvent>(
  block: Block<C>,
  stage: OnStage,
  place: number,
): HandlerStation<C> {
  const { step } = block.host;
  const { scope } = step;
  const { leases, tracer } = scope;
  const { handle: handler, hook, index: slot } = stage;
  const inbox = new Fifo<C>();
  let busy = false;
  let draining = false;
  let cut = false;
  let work: Subscription | undefined;
  /** When the handler was called last; it is not called while it works. */
  let began = 0;
  const text = tracer && createJoinedText();

  return {
    idle: () => !busy,
    take: handle,
    answer,
    failed: onFailure,
    cut() {
      if (cut) return;
      cut = true;
      work?.unsubscribe();
      block.host.release(inbox.length + (busy ? 1 : 0));
      inbox.clear();
    },
  };

  function queue(chunk: C): undefined {
    // The last chunk is no source's: without it the block would never end.
    if (!chunk.last && !block.host.admit(inbox)) return;
    inbox.push(chunk);
    block.host.hold();
  }

  function handle(chunk: C): C | undefined {
    if (busy) return queue(chunk);
    const lease = leases[slot] ?? leaseOf(scope, hook, slot);
    const decisions = mint.decisions;
    if (tracer) began = scope.settings.scheduler.now();
    text?.heard(textIn(chunk));
    try {
      const shown = block.shown(chunk);
      return answer(chunk, handler(shown as never, lease.context), lease, decisions, shown);
    } catch (thrown) {
      return onFailure(chunk, thrown);
    }
  }

  function answer(chunk: C, returned: unknown, lease: Lease, decisions: number, shown: C): C | undefined {
    if (returned === undefined || returned === shown) {
      if (mint.decisions !== decisions) assertNothingForgotten(hook, shown, shown);
      if (tracer) trace(chunk, chunk);
      return chunk;
    }
    if (returned === mint.result && mint.source === shown && isPlainChange(chunk, returned as C)) {
      if (tracer) trace(chunk, returned as C);
      mint.result = undefined;
      return block.seal(returned as C);
    }
    if (returned === EMPTY) {
      if (mint.decisions !== decisions) assertNothingForgotten(hook, shown, shown);
      return chunk.last ? chunk : undefined;
    }
    if (isLater(returned)) {
      // The context goes with the handler; the next chunk gets its own.
      leases[slot] = undefined;
      waitFor(chunk, returned, lease, shown);
      return undefined;
    }
    return sendAll(chunk, acceptAll(chunk, returned, shown));
  }

  /** `more` says that other chunks may follow, one of which may carry what the handler has decided. */
  function acceptAll(chunk: C, returned: unknown, shown: C, more = false): C[] {
    const given: unknown[] = Array.isArray(returned) ? returned : [returned];
    for (const item of given) forget(item);
    const list = given.map((item) => (item === shown ? chunk : item));
    const decided = list.some((item) => isDecided(chunk, item as C));
    if (!decided && !more) assertNothingForgotten(hook, shown, shown);
    return list.map((item) => {
      if (item === undefined) throw contract(stage.hook, chunk.type, 'returned an array that holds undefined.');
      const accepted = accept(stage.hook, chunk, item, decided || (more && item !== chunk));
      if (tracer) trace(chunk, accepted);
      // Later handlers may write into what they are sent, and more is yet to be made of this one.
      const own = accepted === chunk && (more || list.length > 1) ? block.shown(chunk) : accepted;
      return own === accepted ? block.seal(own) : made(accepted, own);
    });
  }

  function isDecided(chunk: C, item: C | null | undefined): boolean {
    return item?.decision !== undefined && item.decision !== chunk.decision;
  }

  /** Sends on what came of `chunk`; what may stay in the caller's loop is given back. */
  function sendAll(chunk: C, chunks: readonly C[]): C | undefined {
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
        if (last && textIn(next) !== '') block.send(place, withoutDecision(next));
        block.finishAt(place, last ? made(next, { ...next, [block.content]: '' }) : next);
        return undefined;
      }
      // The last chunk is the engine's own; text that a handler gives in its place goes before it.
      if (!last) block.send(place, next);
      else if (textIn(next) !== '') block.send(place, made(next, { ...next, last: false }));
    }
    return last ? chunk : undefined;
  }

  /** Text that a handler gives in place of the last chunk, as a chunk before it. */
  function withoutDecision(decided: C): C {
    const { decision: _, ...chunk } = decided;
    return made(decided, { ...chunk, last: false } as unknown as C);
  }

  function made(from: C, chunk: C): C {
    tracer?.carry(from, chunk);
    return block.seal(chunk);
  }

  function waitFor(chunk: C, answer: PromiseLike<unknown> | Observable<unknown>, lease: Lease, shown: C): void {
    const timing = { hook: stage.hook, where: `on.${chunk.type}`, ms: defaultTimeouts.on, lease };
    const more = isObservable(answer);
    const { last } = chunk;
    let answered = false;
    let decided = false;
    let done = false;
    busy = true;
    block.host.hold();
    const release = (rest: C | undefined): void => {
      if (done) return;
      done = true;
      if (cut) return;
      busy = false;
      work = undefined;
      if (rest) block.send(place, rest);
      drain();
      block.host.release();
    };
    const subscription = toBounded(answer, scope.settings, timing).subscribe({
      next: (value) => {
        if (done || cut) return;
        answered = true;
        try {
          const chunks = acceptAll(chunk, value === undefined ? chunk : value, shown, more);
          decided ||= chunks.some((one) => isDecided(chunk, one));
          const rest = sendAll(chunk, chunks);
          if (rest && !last) block.send(place, rest);
        } catch (thrown) {
          release(onFailure(chunk, thrown));
        }
      },
      error: (thrown) => {
        const rest = onFailure(chunk, thrown);
        release(answered && !last ? undefined : rest);
      },
      complete() {
        if (done || cut) return;
        try {
          if (!decided) assertNothingForgotten(hook, shown, shown);
          release(last ? chunk : undefined);
        } catch (thrown) {
          const rest = onFailure(chunk, thrown);
          release(answered && !last ? undefined : rest);
        }
      },
    });
    if (done || cut) subscription.unsubscribe();
    else work = subscription;
  }

  /** Goes on with what has queued up. A handler that answers at once comes back here from within the loop. */
  function drain(): void {
    if (draining) return;
    draining = true;
    while (!busy && !cut && inbox.length > 0) {
      const next = handle(inbox.shift() as C);
      if (next) block.send(place, next);
      block.host.release();
    }
    draining = false;
  }

  function onFailure(chunk: C, thrown: unknown): C | undefined {
    const failure = hookFailure(stage.hook.name, `on.${chunk.type}`, thrown);
    logFailure(scope.log, chunk.type, failure);
    if (stage.hook.onFailure === 'skip') {
      tolerate(step, failure);
      // A copy, so that nothing the handler did with helpers is laid at the next one's door.
      const copy = block.seal({ ...chunk });
      text?.said(textIn(copy));
      if (tracer) trace(chunk, copy, { effect: 'failed', reason: failure.message });
      return copy;
    }
    if (tracer) trace(chunk, failure, { effect: 'failed', reason: failure.message });
    block.fail(failure);
    return undefined;
  }

  function trace(before: C, after: C): void;
  function trace(before: C, after: object, failed: Pick<TraceStep, 'effect' | 'reason'>): void;
  function trace(before: C, after: object, failed?: Pick<TraceStep, 'effect' | 'reason'>): void {
    const { name, priority } = stage.hook;
    const ms = scope.settings.scheduler.now() - began;
    tracer?.step(before, after, { hook: name, priority, stage: 'on', ...(failed ?? effect(before, after as C)), ms });
  }
  /** Text that is only cut anew is not changed; where some was dropped, what comes next tells of it. */
  function effect(before: C, after: C): ReturnType<typeof effectOf> {
    const told = effectOf(before, after);
    const same = text?.said(textIn(after));
    if (same === undefined || told.effect === 'decided') return told;
    return same ? { effect: 'passed' } : { effect: 'changed', paths: told.paths ?? [block.content] };
  }
}
