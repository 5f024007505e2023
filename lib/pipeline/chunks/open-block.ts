import { chunkText } from '../../events/chunk-text.ts';
import { decisions } from '../../events/decisions/decisions-taken.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import { leaseOf } from '../run/lease.ts';
import type { RunScope } from '../run/run-scope.ts';
import type { StepFailure } from '../run/step-failure.ts';
import type { Block } from './block.ts';
import { chunkOf, plainText } from './chunk.ts';
import { HandlerStage } from './handler-stage.ts';
import type { Lane } from './lane.ts';
import { OperatorStage } from './operator-stage.ts';

// A local name: the loop below asks twice a handler, and an import is a property of a module object.
const helpers = decisions;

/**
 * One block of a lane: its chunks go through the stages in order, each stage in its own state. `template` has all members of its chunks
 * but the content. Where nothing is wanted any more, what it is given goes nowhere.
 *
 * A class for its weight: a chunk of one run in ten thousand should find its block in as few places of memory as possible.
 */
export class OpenBlock<C extends ChunkEvent> implements Block<C> {
  // What every chunk needs stands together.
  readonly template: C;
  readonly #scope: RunScope;
  readonly #plan: readonly (OnStage | ThroughStage)[];
  /** Stages before this one have been cut off by a finish. */
  #floor = 0;
  /** Whether every handler has a stage of its own: where somebody asked for a trace. */
  readonly #traced: boolean;
  closed: boolean;
  /** The last chunk has been sent on its way, or a finish has come in its place; nothing goes behind it. */
  #ending = false;
  /** Operators, and handlers that have done something out of the ordinary; most blocks have none. */
  #stages: (HandlerStage<C> | OperatorStage<C> | undefined)[] | undefined = undefined;
  readonly lane: Lane<C>;

  constructor(lane: Lane<C>, template: C) {
    this.lane = lane;
    this.template = template;
    this.#scope = lane.step.scope;
    this.#traced = this.#scope.tracer !== undefined;
    this.#plan = template.type === 'actingChunk' ? lane.plan.filter((stage) => this.applies(stage)) : lane.plan;
    this.closed = !lane.opened(this);
    if (this.closed) return;
    // Operators such as startWith or timer count from the start of the block; later stages first, for what they let out at once.
    for (let place = this.#plan.length - 1; place >= 0; place--) {
      const stage = this.#plan[place] as OnStage | ThroughStage;
      if (stage.kind !== 'through') continue;
      const operators = new OperatorStage(this, stage, place);
      if (operators.build()) this.settleAt(place, operators);
    }
  }

  get content(): 'delta' | 'content' {
    return this.template.type === 'reasoningChunk' ? 'delta' : 'content';
  }

  /** The next text of the block. */
  add(text: string): void {
    this.push(chunkOf(this.template, text));
  }

  /** An event of the marble kit: the same as a chunk, with whatever is on it. */
  push(chunk: C): void {
    if (!this.#ending) this.enter(0, Object.freeze(chunk));
  }

  /** No more chunks: flushes stage after stage, then lets out one empty chunk with `last: true`. */
  end(): void {
    if (this.#ending || this.closed) return;
    this.#ending = true;
    this.enterLast(0);
  }

  /** Lets go of everything without flushing. */
  discard(): void {
    this.closed = true;
    for (const stage of this.#stages ?? []) stage?.cut();
  }

  enterLast(place: number): void {
    this.enter(place, Object.freeze(chunkOf(this.template, '', true)));
  }

  finishAt(place: number, chunk: C): void {
    const { last } = chunk;
    const floor = place + 1;
    this.#floor = floor;
    this.#ending = true;
    // First the word that the source is not wanted any more: what waits for its turn behind the cut must find that out.
    this.lane.finish(this);
    for (const stage of this.#stages?.slice(0, floor) ?? []) stage?.cut();
    this.enter(floor, chunk);
    if (!last) this.enterLast(floor);
  }

  abort(chunk: C): void {
    this.discard();
    const emptied: C = { ...chunk, [this.content]: '' };
    this.#scope.tracer?.carry(chunk, emptied);
    this.lane.aborted(emptied, this.template);
  }

  fail(failure: StepFailure): void {
    this.discard();
    this.lane.fail(failure);
  }

  /**
   * A loop as long as the stages answer synchronously. A handler gets a stage of its own only when it does something out of the ordinary;
   * most never do, and most blocks are short.
   */
  enter(place: number, start: C): void {
    const plan = this.#plan;
    const { leases } = this.#scope;
    let chunk = start;
    for (let at = place; at < plan.length; at++) {
      if (this.closed || at < this.#floor) return;
      const planned = plan[at] as OnStage | ThroughStage;
      if (planned.kind === 'through') {
        const operators = this.#stages?.[at] as OperatorStage<C> | undefined;
        if (!operators) continue;
        operators.take(chunk);
        return;
      }
      const stage = this.#traced ? this.handlerAt(at, planned) : (this.#stages?.[at] as HandlerStage<C> | undefined);
      if (stage?.busy) {
        stage.queue(chunk);
        return;
      }
      stage?.begin(chunk);
      const lease = leases[planned.index] ?? leaseOf(this.#scope, planned.hook, planned.index);
      const { taken } = helpers;
      let next: C | undefined;
      try {
        const returned = planned.handle(chunk as never, lease.context);
        if (helpers.taken === taken && !this.#traced) {
          if (returned === undefined || returned === chunk) continue;
          const text = plainText(chunk, returned);
          if (text !== undefined) {
            chunk = Object.freeze(chunkOf(this.template, text));
            continue;
          }
        }
        next = this.handlerAt(at, planned).answer(chunk, returned, lease);
      } catch (thrown) {
        next = this.handlerAt(at, planned).failed(chunk, thrown);
      }
      if (next === undefined) return;
      chunk = next;
    }
    if (!this.closed) this.leave(chunk);
  }

  private handlerAt(place: number, planned: OnStage): HandlerStage<C> {
    const known = this.#stages?.[place] as HandlerStage<C> | undefined;
    return known ?? this.settleAt(place, new HandlerStage(this, planned, place));
  }

  private settleAt<S extends HandlerStage<C> | OperatorStage<C>>(place: number, stage: S): S {
    this.#stages ??= new Array(this.#plan.length);
    this.#stages[place] = stage;
    return stage;
  }

  private leave(chunk: C): void {
    const { last } = chunk;
    if (last) this.closed = true;
    // Text that was emptied is a chunk that was dropped, unless somebody has remarked or decided something on it.
    else if (chunkText(chunk) === '' && !chunk.decision && !chunk.notes) return;
    this.lane.left(chunk, this.template);
    if (!last) return;
    if (this.#traced) this.tellTexts();
    this.lane.blockClosed(this);
  }

  /** What each hook has made of the whole text: of single chunks it cannot be told, for one may hold half a secret. */
  private tellTexts(): void {
    const { step } = this.lane;
    const { template } = this;
    const path = template.type === 'actingChunk' ? 'chunks.content' : `chunks.${template.block}.delta`;
    for (const one of this.#stages?.slice(this.#floor) ?? []) {
      const change = one?.text?.change();
      if (!one || !change) continue;
      const { hook, kind: stage } = one.stage;
      const values = [{ path, ...change }];
      step.texts ??= [];
      step.texts.push({
        hook: hook.name,
        priority: hook.priority,
        stage,
        effect: 'changed',
        paths: [path],
        values,
        ms: 0,
      });
    }
  }

  private applies(stage: OnStage | ThroughStage): boolean {
    if (this.template.type !== 'actingChunk') return true;
    return stage.applies?.(this.template.toolCall.name, this.lane.step.permission ?? 'external') ?? true;
  }
}
