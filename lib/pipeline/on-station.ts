import { EMPTY, type Observable, type Subscription } from 'rxjs';
import type { ChunkEvent } from '../events/hook-event.ts';
import { lastMint } from '../events/mint.ts';
import { accept, assertNothingForgotten, contract } from './accept.ts';
import { isLater, toBounded } from './later.ts';
import type { Lease } from './lease.ts';
import type { OnStage } from './plan.ts';
import { leaseOf } from './run-scope.ts';
import { defaultTimeouts } from './settings.ts';
import { type Block, type Station, textIn } from './station.ts';
import { hookFailure } from './step-failure.ts';
import { effectOf } from './tracer.ts';

// A local name: the loops below read it twice a handler, and an import is a property of a module object.
const mint = lastMint;

/** A chunk handler in one block. While it works asynchronously, later chunks queue behind it. */
export function createOnStation<C extends ChunkEvent>(block: Block<C>, stage: OnStage, place: number): Station<C> {
  const { step } = block.host;
  const { scope } = step;
  const { leases, tracer } = scope;
  const { handle: handler, hook, index: slot } = stage;
  const inbox: C[] = [];
  let busy = false;
  let cut = false;
  let work: Subscription | undefined;

  return {
    take: handle,
    cut() {
      if (cut) return;
      cut = true;
      work?.unsubscribe();
      block.host.release(inbox.length + (busy ? 1 : 0));
      inbox.length = 0;
    },
  };

  function queue(chunk: C): undefined {
    if (!block.host.admit(inbox)) return;
    inbox.push(chunk);
    block.host.hold();
  }

  function handle(chunk: C): C | undefined {
    if (busy) return queue(chunk);
    const lease = leases[slot] ?? leaseOf(scope, hook, slot);
    const decisions = mint.decisions;
    try {
      const returned = handler(chunk as never, lease.context);
      if (returned === undefined || returned === chunk) {
        if (mint.decisions !== decisions) assertNothingForgotten(hook, chunk, chunk);
        if (tracer) trace(chunk, chunk);
        return chunk;
      }
      if (returned === mint.result && mint.source === chunk && isPlainChange(chunk, returned as C)) {
        if (tracer) trace(chunk, returned as C);
        return block.seal(returned as C);
      }
      if (returned === EMPTY) return chunk.last ? chunk : undefined;
      if (isLater(returned)) {
        // The context goes with the handler; the next chunk gets its own.
        leases[slot] = undefined;
        waitFor(chunk, returned, lease);
        return undefined;
      }
      return sendAll(chunk, acceptAll(chunk, returned));
    } catch (thrown) {
      return onFailure(chunk, thrown);
    }
  }

  /** Made by `modify` from this very chunk, with nothing but other text: only the type of that is left to check. */
  function isPlainChange(chunk: C, returned: C): boolean {
    if (chunk.last || returned.decision !== chunk.decision || returned.notes !== chunk.notes) return false;
    return typeof textIn(returned) === 'string';
  }

  function acceptAll(chunk: C, returned: unknown): C[] {
    const list: unknown[] = Array.isArray(returned) ? returned : [returned];
    return list.map((item) => {
      if (item === undefined) throw contract(stage.hook, chunk.type, 'returned an array that holds undefined.');
      const accepted = accept(stage.hook, chunk, item);
      if (scope.tracer) trace(chunk, accepted);
      return block.seal(accepted);
    });
  }

  /** Sends on what came of `chunk`; what may stay in the caller's loop is given back. */
  function sendAll(chunk: C, chunks: readonly C[]): C | undefined {
    const [first] = chunks;
    if (first && chunks.length === 1 && !chunk.last && first.decision === chunk.decision) return first;
    for (const next of chunks) {
      const decided = next.decision === chunk.decision ? undefined : next.decision?.action;
      if (decided === 'abort') {
        block.abort(next);
        return undefined;
      }
      if (decided === 'finish' && !chunk.last) {
        block.finishAt(place, next);
        return undefined;
      }
      // The last chunk is the engine's own; text that a handler gives in its place goes before it.
      if (!chunk.last) block.send(place, next);
      else if (textIn(next) !== '') block.send(place, block.seal({ ...next, last: false }));
    }
    return chunk.last ? chunk : undefined;
  }

  function waitFor(chunk: C, answer: PromiseLike<unknown> | Observable<unknown>, lease: Lease): void {
    const timing = { hook: stage.hook, where: `on.${chunk.type}`, ms: defaultTimeouts.on, lease };
    let answered = false;
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
      while (!busy && !cut && inbox.length > 0) {
        const next = handle(inbox.shift() as C);
        if (next) block.send(place, next);
        block.host.release();
      }
      block.host.release();
    };
    const subscription = toBounded(answer, scope.settings, timing).subscribe({
      next: (value) => {
        if (done || cut) return;
        answered = true;
        try {
          const rest = sendAll(chunk, value === undefined ? [chunk] : acceptAll(chunk, value));
          if (rest && !chunk.last) block.send(place, rest);
        } catch (thrown) {
          release(onFailure(chunk, thrown));
        }
      },
      error: (thrown) => {
        const rest = onFailure(chunk, thrown);
        release(answered && !chunk.last ? undefined : rest);
      },
      complete: () => release(chunk.last ? chunk : undefined),
    });
    if (done || cut) subscription.unsubscribe();
    else work = subscription;
  }

  function onFailure(chunk: C, thrown: unknown): C | undefined {
    const failure = hookFailure(stage.hook.name, `on.${chunk.type}`, thrown);
    scope.log.error({ hook: stage.hook.name, event: chunk.type, err: failure.cause }, 'a hook failed');
    if (stage.hook.failure === 'open') {
      step.tolerated.push(failure);
      // A copy, so that nothing the handler did with helpers is laid at the next one's door.
      return block.seal({ ...chunk });
    }
    block.fail(failure);
    return undefined;
  }

  function trace(before: C, after: C): void {
    const { name, priority } = stage.hook;
    scope.tracer?.step(before, after, { hook: name, priority, stage: 'on', ...effectOf(before, after), ms: 0 });
  }
}
