import { isObservable, Subject, type Subscription } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { ChunkEvent } from '../events/hook-event.ts';
import { lastMint, wasDecided } from '../events/mint.ts';
import { accept, contract } from './accept.ts';
import type { Lease } from './lease.ts';
import type { ThroughStage } from './plan.ts';
import { leaseOf } from './run-scope.ts';
import { defaultTimeouts } from './settings.ts';
import { type Block, type Station, textIn } from './station.ts';
import { hookFailure } from './step-failure.ts';

/** A hook's operators over one block: fresh when the block begins, flushed when it ends. */
export function createThroughStation<C extends ChunkEvent>(
  block: Block<C>,
  stage: ThroughStage,
  place: number,
): Station<C> {
  const { host, template } = block;
  const { scope } = host.step;
  const { hook } = stage;
  const input = new Subject<C>();
  let lease: Lease | undefined;
  /** What went in: that tells a chunk that was let through from one that was made. */
  const taken = scope.tracer && new WeakSet<C>();
  let entering: C | undefined;
  let output: Subscription | undefined;
  let timer: Subscription | undefined;
  /** What ends first: the chunks that go in (then it flushes), or the operators (then it means finish). */
  let phase: 'open' | 'flushing' | 'over' = 'open';

  subscribe();

  return {
    take(chunk) {
      if (phase !== 'open') return undefined;
      if (chunk.last) flush();
      else {
        taken?.add(chunk);
        entering = chunk;
        input.next(chunk);
        entering = undefined;
      }
      return undefined;
    },
    cut() {
      const flushing = phase === 'flushing';
      if (phase !== 'over') lease?.expire('cancelled');
      phase = 'over';
      timer?.unsubscribe();
      output?.unsubscribe();
      if (flushing) host.release();
    },
  };

  function subscribe(): void {
    lease = leaseOf(scope, hook, stage.index);
    // The operators keep their context as long as the block lasts.
    scope.leases[stage.index] = undefined;
    try {
      const chunks$ = stage.operator(input.asObservable() as never, lease.context);
      if (!isObservable(chunks$)) throw contract(hook, template.type, '`through` must return an Observable.');
      output = chunks$.subscribe({ next: emit, error: fail, complete });
      if (phase === 'over') output.unsubscribe();
    } catch (thrown) {
      fail(thrown);
    }
  }

  function flush(): void {
    phase = 'flushing';
    host.hold();
    input.complete();
    if (phase !== 'flushing') return;
    const ms = hook.timeoutMs ?? defaultTimeouts.flush;
    timer = scope.settings.scheduler.schedule(() => {
      lease?.expire('time-out');
      const message = `Hook "${hook.name}" (through.${template.type}) did not complete within ${ms} ms after its chunks had ended. Complete when \`chunks$\` does, or raise its timeoutMs.`;
      fail(new HooklineError('HOOK_TIMEOUT', message));
    }, ms);
  }

  function emit(returned: unknown): void {
    if (phase === 'over' || block.closed()) return;
    if (isPlain(returned as C)) {
      const text = textIn(returned as C);
      if (text !== '') send(returned as C, { ...template, [block.content]: text });
      return;
    }
    try {
      if (returned === undefined)
        throw contract(hook, template.type, '`through` emitted undefined instead of a chunk.');
      const chunk = accept(hook, template, returned);
      if (chunk.decision?.action === 'abort') block.abort(chunk);
      else if (chunk.decision?.action === 'finish') block.finishAt(place, block.seal(chunk));
      else if (textIn(chunk) !== '') send(returned as C, keepDecision(chunk, returned as C));
    } catch (thrown) {
      fail(thrown);
    }
  }

  function send(returned: C, chunk: C): void {
    const sent = block.seal(chunk);
    // What is let out while a chunk goes in is taken to be made of that chunk.
    const before = taken?.has(returned) ? returned : (entering ?? returned);
    scope.tracer?.step(before, sent, {
      hook: hook.name,
      priority: hook.priority,
      stage: 'through',
      ...(taken?.has(returned) ? { effect: 'passed' } : { effect: 'changed', paths: [block.content] }),
      ms: 0,
    });
    block.send(place, sent);
  }

  /** A chunk of this block with some text and nothing else to it, as nearly all are; nothing is left to check then. */
  function isPlain(returned: C | undefined): boolean {
    if (returned?.type !== template.type || returned.run !== template.run || returned.last) return false;
    if (returned.decision !== undefined || returned.notes !== undefined || typeof textIn(returned) !== 'string')
      return false;
    return lastMint.decisions === 0 || !wasDecided(returned);
  }

  /** A decision of an earlier stage stays on the chunk that carries it, without being taken twice. */
  function keepDecision(chunk: C, returned: C): C {
    return returned.decision === undefined ? chunk : { ...chunk, decision: returned.decision };
  }

  function complete(): void {
    if (phase === 'over' || block.closed()) return;
    const flushed = phase === 'flushing';
    phase = 'over';
    timer?.unsubscribe();
    if (!flushed) {
      const decision = Object.freeze({ action: 'finish', by: hook.name });
      block.finishAt(place, block.seal({ ...template, last: true, decision } as C));
      return;
    }
    block.sendLast(place);
    host.release();
  }

  function fail(thrown: unknown): void {
    if (phase === 'over' || block.closed()) return;
    const failure = hookFailure(hook.name, `through.${template.type}`, thrown);
    scope.log.error({ hook: hook.name, event: template.type, err: failure.cause }, 'a hook failed');
    block.fail(failure);
  }
}
