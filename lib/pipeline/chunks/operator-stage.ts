import { isObservable, Subject, type Unsubscribable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { chunkText } from '../../events/chunk-text.ts';
import { decisions, wasDecided } from '../../events/decisions/decisions-taken.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { ThroughStage } from '../define/plan.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import { accept, contract } from '../gate/accept.ts';
import { runLater } from '../run/handler-timeout.ts';
import { leaseOf } from '../run/lease.ts';
import type { Lease, RunScope } from '../run/run-scope.ts';
import { hookFailure, logFailure } from '../run/step-failure.ts';
import { defaultTimeouts } from '../settings.ts';
import type { Effect } from '../trace/read-step.ts';
import { type JoinedText, joinedTextFor } from '../trace/tracer.ts';
import type { Block } from './block.ts';
import { chunkOf, plainText } from './chunk.ts';

/** A hook's operators over one block: created when the block begins, flushed when it ends. Input and output are one object to save memory. */
export class OperatorStage<C extends ChunkEvent> extends LoggingSubscriber<unknown> {
  readonly #block: Block<C>;
  readonly stage: ThroughStage;
  readonly #place: number;
  readonly #scope: RunScope;
  readonly #input = new Subject<C>();
  /** If the input ends first, the operators flush. If the operators end first, that means finish. */
  #phase: 'open' | 'flushing' | 'over' = 'open';
  #lease: Lease | undefined = undefined;
  /** The input chunks. They distinguish a forwarded chunk from a new one. */
  #taken: WeakSet<C> | undefined = undefined;
  readonly text: JoinedText | undefined;
  #entering: C | undefined = undefined;
  /** The decisions taken when the block began: its chunks are decided on later. */
  readonly #decided = decisions.taken;
  #timer: Unsubscribable | undefined = undefined;

  constructor(block: Block<C>, stage: ThroughStage, place: number) {
    super(block.lane.step.scope.log);
    this.#block = block;
    this.stage = stage;
    this.#place = place;
    this.#scope = block.lane.step.scope;
    this.text = joinedTextFor(this.#scope);
    if (!this.text) return;
    this.#taken = new WeakSet();
  }

  /** Creates the operators. Returns `false` if the hook returns its input Observable unchanged. */
  build(): boolean {
    const { hook, index, operator } = this.stage;
    const lease = leaseOf(this.#scope, hook, index);
    this.#lease = lease;
    // The operators keep their context for the whole block.
    this.#scope.leases[index] = undefined;
    try {
      const input$ = this.#input.asObservable();
      const chunks$ = operator(input$ as never, lease.context);
      if (!isObservable(chunks$)) {
        ignoreRejection(chunks$);
        throw contract(hook, this.#block.template.type, '`through` must return an Observable.');
      }
      if (chunks$ === input$ && !this.#taken) return false;
      this.listenTo(chunks$);
    } catch (thrown) {
      this.fail(thrown);
    }
    return true;
  }

  take(chunk: C): void {
    if (this.#phase !== 'open') return;
    if (chunk.last) {
      this.flush();
      return;
    }
    this.#taken?.add(chunk);
    this.text?.takeInput(chunkText(chunk));
    this.#entering = chunk;
    this.#input.next(chunk);
    this.#entering = undefined;
  }

  /** Stops without flushing. */
  cut(): void {
    const flushing = this.#phase === 'flushing';
    this.#lease?.expire('cancelled');
    this.#phase = 'over';
    this.#timer?.unsubscribe();
    this.unsubscribe();
    if (flushing) this.#block.lane.release();
  }

  protected override _next(returned: unknown): void {
    const block = this.#block;
    const { template } = block;
    const { hook } = this.stage;
    if (this.#phase === 'over' || block.closed) return;
    const text = plainText(template, returned as C | undefined);
    if (text !== undefined && (decisions.taken === this.#decided || !wasDecided(returned as C))) {
      if (text !== '') this.send(returned as C, chunkOf(template, text));
      return;
    }
    try {
      if (returned === undefined)
        throw contract(hook, template.type, '`through` emitted undefined instead of a chunk.');
      const chunk = accept(hook, template, returned);
      const decision = chunk.decision?.action;
      if (decision) this.trace(returned as object, chunk, { effect: 'decided', decision });
      if (decision === 'abort') block.abort(chunk);
      else if (decision === 'finish') block.finishAt(this.#place, Object.freeze(chunk));
      else if (chunkText(chunk) !== '') this.send(returned as C, keepDecision(chunk, returned as C));
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  protected override _error(thrown: unknown): void {
    this.fail(thrown);
  }

  protected override _complete(): void {
    const block = this.#block;
    if (this.#phase !== 'over' && !block.closed) {
      const flushed = this.#phase === 'flushing';
      this.#phase = 'over';
      this.#timer?.unsubscribe();
      if (flushed) {
        block.enterLast(this.#place + 1);
        block.lane.release();
      } else {
        const decision = Object.freeze({ action: 'finish', by: this.stage.hook.name });
        const last = Object.freeze({ ...block.template, last: true, decision } as C);
        this.trace(last, last, { effect: 'decided', decision: 'finish' });
        block.finishAt(this.#place, last);
      }
    }
    this.#lease?.expire('ended');
    this.unsubscribe();
  }

  private flush(): void {
    const { hook } = this.stage;
    const { lane, template } = this.#block;
    this.#phase = 'flushing';
    lane.hold();
    this.#input.complete();
    if (this.isOver()) return;
    const ms = hook.timeoutMs ?? defaultTimeouts.flush;
    this.#timer = runLater(this.#scope.settings.scheduler, ms, () => {
      this.#lease?.expire('time-out');
      const message = `Hook "${hook.name}" (through.${template.type}) did not complete within ${ms} ms after its chunks had ended. Complete when \`chunks$\` does, or raise its timeoutMs.`;
      this.fail(new HooklineError('HOOK_TIMEOUT', message));
    });
  }

  private isOver(): boolean {
    return this.#phase === 'over';
  }

  private send(returned: C, chunk: C): void {
    const block = this.#block;
    const sent: C = Object.freeze(chunk);
    if (this.#taken) {
      const passed = this.text?.takeOutput(chunkText(sent)) ?? this.#taken.has(returned);
      this.trace(returned, sent, passed ? { effect: 'passed' } : { effect: 'changed', paths: [block.content] });
    }
    block.enter(this.#place + 1, sent);
  }

  private trace(returned: object, after: object, effect: Effect): void {
    const { tracer } = this.#scope;
    if (!tracer) return;
    // A chunk emitted while another one enters is attributed to that one.
    const before = this.#taken?.has(returned as C) ? returned : (this.#entering ?? returned);
    tracer.step({ hook: this.stage.hook, stage: 'through', before, after, effect, ms: 0 });
  }

  private fail(thrown: unknown): void {
    const block = this.#block;
    if (this.#phase === 'over' || block.closed) return;
    const { hook } = this.stage;
    const failure = hookFailure(hook.name, `through.${block.template.type}`, thrown);
    logFailure(this.#scope.log, block.template.type, failure);
    this.trace(failure, failure, { effect: 'failed', reason: failure.message });
    block.fail(failure);
  }
}

/** Keeps the decision of an earlier stage on its chunk, without taking it twice. */
function keepDecision<C extends ChunkEvent>(chunk: C, returned: C): C {
  return returned.decision === undefined ? chunk : { ...chunk, decision: returned.decision };
}
