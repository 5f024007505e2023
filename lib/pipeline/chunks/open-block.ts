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

// A local name for speed: the loop below reads it twice per handler, and an import is a property of a module object.
const helpers = decisions;

/**
 * One block of a lane: its chunks pass the stages in order, and each stage has its own state. `template` has all fields of a chunk but the content.
 * Chunks for a closed block are ignored.
 *
 * A class to save memory: with ten thousand runs, a chunk must find its block in few places of memory.
 */
export class OpenBlock<C extends ChunkEvent> implements Block<C> {
  // The fields used for every chunk come first, for speed.
  readonly template: C;
  readonly #scope: RunScope;
  readonly #plan: readonly (OnStage | ThroughStage)[];
  /** A finish has cancelled the stages before this one. */
  #floor = 0;
  /** Whether every handler has a stage of its own, because a trace is enabled. */
  readonly #traced: boolean;
  closed: boolean;
  /** Whether the last chunk or a finish was sent. No chunk may follow. */
  #ending = false;
  /** Operators, and handlers with state. Most blocks have none. */
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
    // Operators such as startWith or timer start with the block. Later stages are built first, because operators may emit at once.
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

  /** Adds the next text of the block. */
  add(text: string): void {
    this.push(chunkOf(this.template, text));
  }

  /** Adds a chunk with any fields, for events of the marble kit. */
  push(chunk: C): void {
    if (!this.#ending) this.enter(0, Object.freeze(chunk));
  }

  /** Ends the block: flushes stage after stage, then emits one empty chunk with `last: true`. */
  end(): void {
    if (this.#ending || this.closed) return;
    this.#ending = true;
    this.enterLast(0);
  }

  /** Stops without flushing. */
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
    // Cancel the source first: queued callbacks before the cut must see that.
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
   * Runs as a loop while the stages answer synchronously. A handler gets a stage of its own only if it returns anything but its chunk. Most never do,
   * and most blocks are short.
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
    // A chunk with empty text is dropped, unless it carries a decision or notes.
    else if (chunkText(chunk) === '' && !chunk.decision && !chunk.notes) return;
    this.lane.left(chunk, this.template);
    if (!last) return;
    if (this.#traced) this.reportTexts();
    this.lane.blockClosed(this);
  }

  /** Reports how each hook changed the whole text. Single chunks are not reported, because one may contain half a secret. */
  private reportTexts(): void {
    const { step } = this.lane;
    const { template } = this;
    const path = template.type === 'actingChunk' ? 'chunks.content' : `chunks.${template.block}.delta`;
    for (const one of this.#stages?.slice(this.#floor) ?? []) {
      const change = one?.text?.change();
      if (!one || !change) continue;
      const { hook, kind: stage } = one.stage;
      const effect = { effect: 'changed', paths: [path], values: [{ path, ...change }] } as const;
      step.texts ??= [];
      step.texts.push({ hook, stage, effect, ms: 0 });
    }
  }

  private applies(stage: OnStage | ThroughStage): boolean {
    if (this.template.type !== 'actingChunk') return true;
    return stage.applies?.(this.template.toolCall.name, this.lane.step.permission ?? 'external') ?? true;
  }
}
