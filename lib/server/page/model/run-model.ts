import type { EventOf, EventType, SettledEvent } from '../../../events/hook-event.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { TraceStep } from '../../../pipeline/define/hook.ts';
import { type Column, column, firstFrom } from './columns.ts';
import { chunkTextOf, createEventRows, type EventRows } from './event-rows.ts';
import { markOf, marks } from './mark-of.ts';

/** The lanes, from top to bottom. */
export const lanes: readonly EventType[] = [
  'preCall',
  'preReasoning',
  'reasoningChunk',
  'postReasoning',
  'preActing',
  'actingChunk',
  'postActing',
  'postCall',
  'error',
];
const laneOf = new Map(lanes.map((type, lane) => [type, lane]));

/** A step: the places of the event before it and of the event after it; -1 while it is active. */
export interface Span {
  readonly from: number;
  to: number;
}

/** A run, or one of its sub-agents. */
export interface RunNode {
  readonly info: RunInfo;
  /** The place of the run that started it; -1 for the run itself. */
  readonly parent: number;
  readonly depth: number;
  /** Its events by lane, as places in the model. */
  readonly byLane: readonly Column[];
  /** The steps of the model and of tools, in order. */
  readonly reasoning: Span[];
  readonly acting: Span[];
  /** The calls that suspended the run. */
  readonly suspended: number[];
  end?: EventOf<'postCall'>;
}

/** The part of a model request that equals the previous one of the same run. */
export interface Same {
  readonly messages: number;
  readonly tools: boolean;
}

/** All data of a run, active or recorded. Data is only added. */
export interface RunModel {
  readonly events: readonly SettledEvent[];
  readonly nodes: readonly RunNode[];
  readonly rows: EventRows;
  /** The times when events settled, in milliseconds; those of one millisecond are distributed over it in order. */
  readonly times: Column;
  readonly node: Column;
  readonly mark: Column;
  /** Milliseconds of handlers and approvers. Wrappers and stream operators take the time of their step or stream. */
  readonly hookMs: Column;
  /** The amount of a stream in an event: for chunks that were joined in transit, their length. */
  readonly weight: Column;
  /** The number of events of each mark, by its place in `marks`. */
  readonly counts: number[];
  /** The number of missing events. */
  lost: number;
  stepsOf(index: number): readonly TraceStep[];
  append(event: SettledEvent, steps?: readonly TraceStep[], same?: Same): void;
  /** Events are missing here. The next model request does not refer to the previous one. */
  gap(): void;
  /** Returns the complete model request of a `preReasoning`. */
  requestOf(index: number): Pick<EventOf<'preReasoning'>, 'messages' | 'tools'>;
  /** Returns the place of the last event that settled by that time; -1 before the first. */
  at(time: number): number;
}

const NONE: readonly TraceStep[] = [];

/** Creates a model without events. */
export function createRunModel(): RunModel {
  const events: SettledEvent[] = [];
  const steps: (readonly TraceStep[])[] = [];
  const nodes: RunNode[] = [];
  const places = new Map<string, number>();
  const shared = new Map<number, Same & { readonly before: number }>();
  const lastAsked = new Map<number, number>();
  const rows = createEventRows();
  const [times, node, mark, hookMs] = [column('f64'), column('u16'), column('u8'), column('f64')];
  const weight = column('u8');
  const openSpans = new Map<string, Span>();
  let lastTime = Number.NEGATIVE_INFINITY;
  let inOneMs = 0;

  function nodeOf(info: RunInfo): number {
    const known = places.get(info.runId);
    if (known !== undefined) return known;
    const parent = nodes.length === 0 ? -1 : (places.get(info.parentRunId ?? '') ?? 0);
    const depth = parent < 0 ? 0 : (nodes[parent]?.depth ?? 0) + 1;
    nodes.push({
      info,
      parent,
      depth,
      byLane: lanes.map(() => column('i32')),
      reasoning: [],
      acting: [],
      suspended: [],
    });
    places.set(info.runId, nodes.length - 1);
    return nodes.length - 1;
  }

  /** Returns a time that is never before the previous one, because a clock may be set back. */
  function spread(time: number): number {
    if (time > lastTime) {
      lastTime = time;
      inOneMs = 0;
    } else inOneMs += 1;
    return lastTime + inOneMs / (inOneMs + 8);
  }

  function noteStep(event: SettledEvent, index: number, own: RunNode): void {
    const { runId } = event.run;
    if (event.type === 'preReasoning' || event.type === 'preActing') {
      const isModel = event.type === 'preReasoning';
      const span: Span = { from: index, to: -1 };
      (isModel ? own.reasoning : own.acting).push(span);
      openSpans.set(isModel ? runId : `${runId} ${event.toolCall.id}`, span);
      if (event.decision?.action === 'suspend') own.suspended.push(index);
    } else if (event.type === 'postReasoning' || event.type === 'error' || event.type === 'postCall')
      close(runId, index);
    else if (event.type === 'postActing') close(`${runId} ${event.toolCall.id}`, index);
  }

  function close(key: string, index: number): void {
    const span = openSpans.get(key);
    if (span) span.to = index;
    openSpans.delete(key);
  }

  const model: RunModel = {
    events,
    nodes,
    rows,
    times,
    node,
    mark,
    hookMs,
    weight,
    counts: marks.map(() => 0),
    lost: 0,
    stepsOf: (index) => steps[index] ?? NONE,
    append(event, given = NONE, same) {
      const index = events.length;
      const at = nodeOf(event.run);
      const own = nodes[at] as RunNode;
      const place = laneOf.get(event.type) as number;
      events.push(event);
      steps.push(given);
      times.push(spread(event.time));
      node.push(at);
      const seen = markOf(event, given);
      mark.push(seen);
      model.counts[seen] = (model.counts[seen] as number) + 1;
      let ms = 0;
      for (const { stage, ms: own } of given) if (stage === 'on' || stage === 'approve') ms += own;
      hookMs.push(ms);
      (own.byLane[place] as Column).push(index);
      weight.push(1 + Math.min(chunkTextOf(event).length >> 5, 50));
      noteStep(event, index, own);
      rows.add(event, index, at, seen);
      if (event.type === 'preReasoning') {
        const before = lastAsked.get(at);
        if (same && before !== undefined) shared.set(index, { ...same, before });
        lastAsked.set(at, index);
      }
      if (event.type === 'postCall') own.end = event;
    },
    gap() {
      lastAsked.clear();
      openSpans.clear();
    },
    requestOf(index) {
      const own = events[index] as EventOf<'preReasoning'>;
      const chain = [];
      for (let at: number | undefined = index; at !== undefined; at = shared.get(at)?.before) chain.push(at);
      let messages: EventOf<'preReasoning'>['messages'] = [];
      let tools = own.tools;
      for (const at of chain.reverse()) {
        const asked = events[at] as EventOf<'preReasoning'>;
        const same = shared.get(at);
        messages = [...messages.slice(0, same?.messages ?? 0), ...asked.messages];
        if (!same?.tools) tools = asked.tools;
      }
      return { messages, tools };
    },
    at: (time) => firstFrom(times.length, times.at, time + 1e-9) - 1,
  };
  return model;
}
