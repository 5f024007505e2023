import { lastMint } from '../../events/decisions/mint.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import { leaseOf } from '../run/lease-of.ts';
import type { RunScope } from '../run/run-scope.ts';
import type { StepFailure } from '../run/step-failure.ts';
import { chunkWith } from './chunk-with.ts';
import type { BlockLane, LaneHost, LaneListener } from './lane-host.ts';
import { createOnStation } from './on-station.ts';
import { type Block, type HandlerStation, isPlainChange, type Station, textIn } from './station.ts';
import { createThroughStation } from './through-station.ts';

// A local name: the loop below reads it twice a handler, and an import is a property of a module object.
const mint = lastMint;

/** What hooks have put on a chunk beside its text. */
type Marks = Pick<ChunkEvent, 'decision' | 'notes'>;

function marksOf({ decision, notes }: ChunkEvent): Marks | undefined {
  if (decision === undefined && notes === undefined) return undefined;
  return { ...(decision && { decision }), ...(notes && { notes }) };
}

/** Begins a block; `template` has all members of its chunks but the content. */
export function createBlockLane<C extends ChunkEvent>(host: LaneHost<C>, template: C): BlockLane<C> {
  return new StageLine(host, template);
}

/** A class for its weight: a chunk of one run in ten thousand should find its block in as few places of memory as possible. */
class StageLine<C extends ChunkEvent> implements BlockLane<C>, Block<C> {
  // What every chunk needs stands together.
  readonly template: C;
  readonly #scope: RunScope;
  readonly #stages: readonly (OnStage | ThroughStage)[];
  /** Stations before this one have been cut off by a finish. */
  #floor = 0;
  /** Whether no handler has needed a station yet, as in nearly all blocks. */
  #ordinary: boolean;
  #closed = false;
  /** The last chunk has been sent on its way, or a finish has come in its place; nothing goes behind it. */
  #ending = false;
  #stations: (Station<C> | undefined)[] | undefined = undefined;
  readonly #out: LaneListener<C>;
  readonly host: LaneHost<C>;

  constructor(host: LaneHost<C>, template: C) {
    const { scope } = host.step;
    this.host = host;
    this.template = template;
    this.#out = host.listener;
    this.#scope = scope;
    this.#ordinary = scope.tracer === undefined;
    this.#stages =
      template.type === 'reasoningChunk' ? host.stages : host.stages.filter((stage) => this.applies(stage));
    // Operators such as startWith or timer count from the start of the block; later stations first, for what they let out at once.
    for (let place = this.#stages.length - 1; place >= 0; place--) {
      const stage = this.#stages[place] as OnStage | ThroughStage;
      const station = stage.kind === 'through' && createThroughStation(this, stage, place);
      if (station) this.settleAt(place, station);
    }
  }

  get content(): 'delta' | 'content' {
    return this.template.type === 'reasoningChunk' ? 'delta' : 'content';
  }

  closed(): boolean {
    return this.#closed;
  }

  add(text: string): void {
    this.push(chunkWith(this.template, text));
  }

  push(chunk: C): void {
    if (!this.#ending) this.enter(0, this.seal(chunk));
  }

  end(): void {
    if (this.#ending || this.#closed) return;
    this.#ending = true;
    this.enter(0, this.lastChunk());
  }

  discard(): void {
    this.#closed = true;
    for (const station of this.#stations ?? []) station?.cut();
  }

  seal(chunk: C): C {
    return this.#scope.settings.freezeChunks ? Object.freeze(chunk) : chunk;
  }

  shown(chunk: C): C {
    return this.#scope.settings.freezeChunks ? chunk : { ...chunk };
  }

  send(place: number, chunk: C): void {
    this.enter(place + 1, chunk);
  }

  sendLast(place: number): void {
    this.enter(place + 1, this.lastChunk());
  }

  finishAt(place: number, chunk: C): void {
    // Later handlers may write into the chunk.
    const { last } = chunk;
    const floor = place + 1;
    this.#floor = floor;
    this.#ending = true;
    // First the word that the source is not wanted any more: what waits for its turn behind the cut must find that out.
    this.host.finish(this);
    for (const station of this.#stations?.slice(0, floor) ?? []) station?.cut();
    this.enter(floor, chunk);
    if (!last) this.enter(floor, this.lastChunk());
  }

  abort(chunk: C): void {
    this.discard();
    const emptied: C = { ...chunk, [this.content]: '' };
    this.#scope.tracer?.carry(chunk, emptied);
    this.host.listener.aborted(emptied, this.template);
  }

  fail(failure: StepFailure): void {
    this.discard();
    this.host.listener.failed(failure);
  }

  /**
   * Sends a chunk through the stages from `place` on: a loop as long as they answer synchronously. A handler gets a station of its own
   * only when it does something out of the ordinary; most never do, and most blocks are short.
   */
  private enter(place: number, start: C): void {
    const stages = this.#stages;
    const { leases } = this.#scope;
    const { last } = start;
    let chunk = start;
    let marks = marksOf(start);
    for (let at = place; at < stages.length; at++) {
      if (this.#closed || at < this.#floor) return;
      const stage = stages[at] as OnStage | ThroughStage;
      let next: C | undefined;
      if (stage.kind === 'through') {
        const station = this.#stations?.[at];
        if (!station) continue;
        next = station.take(this.intact(chunk, last, marks));
      } else if (!this.#ordinary && this.needsStation(at))
        next = this.handlerAt(at, stage).take(this.intact(chunk, last, marks));
      else {
        const lease = leases[stage.index] ?? leaseOf(this.#scope, stage.hook, stage.index);
        const decisions = mint.decisions;
        try {
          const returned = stage.handle(chunk as never, lease.context);
          if (returned === undefined && mint.decisions === decisions) continue;
          if (returned === mint.result && mint.source === chunk && isPlainChange(chunk, returned as C)) {
            // What the next handler makes of it comes from this very chunk, and not from the one before.
            mint.result = undefined;
            chunk = this.seal(returned as C);
            continue;
          }
          const own = this.intact(chunk, last, marks, true);
          next = this.handlerAt(at, stage).answer(own, returned, lease, decisions, chunk);
        } catch (thrown) {
          const own = this.intact(chunk, last, marks, true);
          next = this.handlerAt(at, stage).failed(own, thrown);
        }
      }
      if (next === undefined) return;
      chunk = next;
      marks = marksOf(next);
    }
    if (!this.#closed) this.leave(this.intact(chunk, last, marks), last);
  }

  /**
   * The chunk as if no handler had written into it; only in production can one. Text that was written over stands, so that screen and
   * transcript agree on it; what is no text any more is dropped. `copied`: as an object that nobody else holds.
   */
  private intact(chunk: C, last: boolean, marks: Marks | undefined, copied = false): C {
    if (this.#scope.settings.freezeChunks) return chunk;
    const { content, template } = this;
    const text = (chunk as unknown as Record<string, unknown>)[content];
    const { decision, notes } = chunk;
    if (!copied && typeof text === 'string' && chunk.last === last) {
      if (decision === marks?.decision && notes === marks?.notes) return chunk;
    }
    const own: C = { ...template, [content]: typeof text === 'string' ? text : '', last, ...marks };
    this.#scope.tracer?.carry(chunk, own);
    return own;
  }

  private needsStation(place: number): boolean {
    if (this.#scope.tracer !== undefined) return true;
    const known = this.#stations?.[place] as HandlerStation<C> | undefined;
    return known !== undefined && !known.idle();
  }

  private handlerAt(place: number, stage: OnStage): HandlerStation<C> {
    const known = this.#stations?.[place] as HandlerStation<C> | undefined;
    if (known) return known;
    this.#ordinary = false;
    return this.settleAt(place, createOnStation(this, stage, place));
  }

  private settleAt<S extends Station<C>>(place: number, station: S): S {
    this.#stations ??= new Array(this.#stages.length);
    this.#stations[place] = station;
    return station;
  }

  private lastChunk(): C {
    return this.seal(chunkWith(this.template, '', true));
  }

  private leave(chunk: C, last: boolean): void {
    if (last) this.#closed = true;
    // Text that was emptied is a chunk that was dropped, unless somebody has remarked or decided something on it.
    else if (textIn(chunk) === '' && !chunk.decision && !chunk.notes) return;
    this.#out.left(chunk, this.template);
    if (last) this.host.blockClosed(this);
  }

  private applies(stage: OnStage | ThroughStage): boolean {
    if (this.template.type !== 'actingChunk') return true;
    return stage.applies?.(this.template.toolCall.name, this.host.step.permission ?? 'external') ?? true;
  }
}
