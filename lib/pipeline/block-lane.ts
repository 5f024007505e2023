import type { ChunkEvent } from '../events/hook-event.ts';
import { lastMint } from '../events/mint.ts';
import type { LaneHost } from './lane.ts';
import { createOnStation } from './on-station.ts';
import type { OnStage, ThroughStage } from './plan.ts';
import { leaseOf } from './run-scope.ts';
import { type Block, type HandlerStation, isPlainChange, type Station, textIn } from './station.ts';
import { createThroughStation } from './through-station.ts';

// A local name: the loop below reads it twice a handler, and an import is a property of a module object.
const mint = lastMint;

/** The chunk stages of one block, each in its own state. Order is kept whatever a stage does. */
export interface BlockLane<C extends ChunkEvent> {
  push(chunk: C): void;
  /** No more chunks: flushes stage after stage, then lets out one empty chunk with `last: true`. */
  end(): void;
  /** Lets go of everything without flushing. */
  discard(): void;
}

/** Begins a block; `template` has all members of its chunks but the content. */
export function createBlockLane<C extends ChunkEvent>(host: LaneHost<C>, template: C): BlockLane<C> {
  const { scope } = host.step;
  const { leases, tracer } = scope;
  const { freezeChunks } = scope.settings;
  const content = template.type === 'reasoningChunk' ? 'delta' : 'content';
  const stages = host.stages.filter((stage) => !stage.applies || template.type === 'reasoningChunk' || applies(stage));
  const stations: (Station<C> | undefined)[] = new Array(stages.length);
  const handlers: (HandlerStation<C> | undefined)[] = new Array(stages.length);
  /** Stations before this one have been cut off by a finish. */
  let floor = 0;
  let closed = false;
  /** Whether no handler has needed a station yet, as in nearly all blocks. */
  let ordinary = tracer === undefined;
  let ending = false;

  const seal = (chunk: C): C => (freezeChunks ? Object.freeze(chunk) : chunk);
  const lastChunk = (): C => seal({ ...template, [content]: '', last: true });
  const lane: BlockLane<C> = {
    push: (chunk) => enter(0, seal(chunk)),
    end() {
      if (ending || closed) return;
      ending = true;
      enter(0, lastChunk());
    },
    discard() {
      closed = true;
      for (const station of stations) station?.cut();
    },
  };
  const block: Block<C> = {
    host,
    template,
    content,
    closed: () => closed,
    seal,
    send: (place, chunk) => enter(place + 1, chunk),
    sendLast: (place) => enter(place + 1, lastChunk()),
    finishAt(place, chunk) {
      floor = place + 1;
      ending = true;
      // First the word that the source is not wanted any more: what waits for its turn behind the cut must find that out.
      host.finish(lane);
      for (const station of stations.slice(0, floor)) station?.cut();
      enter(floor, chunk);
      if (!chunk.last) enter(floor, lastChunk());
    },
    abort(chunk) {
      lane.discard();
      host.aborted({ ...chunk, [content]: '' });
    },
    fail(failure) {
      lane.discard();
      host.failed(failure);
    },
  };

  // Operators such as startWith or timer count from the start of the block; later stations first, for what they let out at once.
  for (let place = stages.length - 1; place >= 0; place--) {
    const stage = stages[place] as OnStage | ThroughStage;
    if (stage.kind === 'through') stations[place] = createThroughStation(block, stage, place);
  }
  return lane;

  /**
   * Sends a chunk through the stages from `place` on: a loop as long as they answer synchronously. A handler gets a station of its own
   * only when it does something out of the ordinary; most never do, and most blocks are short.
   */
  function enter(place: number, start: C): void {
    let chunk = start;
    for (let at = place; at < stages.length; at++) {
      if (closed || at < floor) return;
      const stage = stages[at] as OnStage | ThroughStage;
      let next: C | undefined;
      if (stage.kind === 'through') next = (stations[at] as Station<C>).take(chunk);
      else if (!ordinary && (tracer !== undefined || handlers[at]?.idle() === false))
        next = handlerAt(at, stage).take(chunk);
      else {
        const lease = leases[stage.index] ?? leaseOf(scope, stage.hook, stage.index);
        const decisions = mint.decisions;
        try {
          const returned = stage.handle(chunk as never, lease.context);
          if (returned === undefined && mint.decisions === decisions) continue;
          if (returned === mint.result && mint.source === chunk && isPlainChange(chunk, returned as C)) {
            chunk = seal(returned as C);
            continue;
          }
          next = handlerAt(at, stage).answer(chunk, returned, lease, decisions, 0);
        } catch (thrown) {
          next = handlerAt(at, stage).failed(chunk, thrown);
        }
      }
      if (next === undefined) return;
      chunk = next;
    }
    if (!closed) leave(chunk);
  }

  function handlerAt(place: number, stage: OnStage): HandlerStation<C> {
    const known = handlers[place];
    if (known) return known;
    const made = createOnStation(block, stage, place);
    handlers[place] = made;
    ordinary = false;
    stations[place] = made;
    return made;
  }

  function leave(chunk: C): void {
    if (chunk.last) closed = true;
    // Text that was emptied is a chunk that was dropped, unless somebody has remarked or decided something on it.
    else if (textIn(chunk) === '' && !chunk.decision && !chunk.notes) return;
    host.left(chunk);
    if (chunk.last) host.closed(lane);
  }

  function applies(stage: OnStage | ThroughStage): boolean {
    if (template.type !== 'actingChunk') return true;
    return stage.applies?.(template.toolCall.name, host.step.permission ?? 'external') ?? true;
  }
}
