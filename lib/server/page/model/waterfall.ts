import type { TraceStep } from '../../../pipeline/define/hook.ts';
import type { RunModel, Span } from './run-model.ts';

/** A bar of the waterfall. Times are in milliseconds since the start of the run. */
export interface Bar {
  readonly kind: 'model' | 'tool' | 'hook' | 'wait';
  readonly name: string;
  /** The place of the run or sub-agent in the model. */
  readonly node: number;
  readonly from: number;
  readonly to: number;
  /** Its duration, without that of the sub-agents inside. */
  readonly selfMs: number;
  /** The event that it shows. */
  readonly index: number;
  /** Whether it has not ended. */
  readonly open: boolean;
}

/** Hooks that took less than this are not shown, in milliseconds. */
const LEAST_HOOK_MS = 1;

/** Returns one bar for each model request, tool call, hook and approval, in order of their start. */
export function waterfallOf(model: RunModel): readonly Bar[] {
  const start = model.times.length > 0 ? model.times.at(0) : 0;
  const last = model.times.length > 0 ? model.times.at(model.times.length - 1) - start : 0;
  const timeOf = (index: number): number => model.times.at(index) - start;
  const periods = periodsOf(model, timeOf);
  const bars: Bar[] = [];
  for (const [node, own] of model.nodes.entries()) {
    for (const span of own.reasoning) bars.push(stepBar('model', node, span));
    for (const span of own.acting) bars.push(stepBar('tool', node, span));
  }
  for (let index = 0; index < model.events.length; index += 1)
    if (model.hookMs.at(index) >= LEAST_HOOK_MS) bars.push(...hookBars(index));
  return bars.sort((a, b) => a.from - b.from || b.to - a.to);

  function stepBar(kind: 'model' | 'tool', node: number, span: Span): Bar {
    const event = model.events[span.from];
    const name = event?.type === 'preActing' ? event.toolCall.name : event?.type === 'preReasoning' ? event.model : '';
    const [from, open] = [timeOf(span.from), span.to < 0];
    const to = open ? last : timeOf(span.to);
    const inside = kind === 'tool' ? unionMs(periods.get(span) ?? []) : 0;
    return { kind, name: name || 'model request', node, from, to, selfMs: to - from - inside, index: span.from, open };
  }

  /** Handlers and approvers run one after another before their event settles. */
  function hookBars(index: number): readonly Bar[] {
    const found: Bar[] = [];
    let to = timeOf(index);
    for (const step of [...model.stepsOf(index)].reverse()) {
      if (step.stage !== 'on' && step.stage !== 'approve') continue;
      const from = to - step.ms;
      if (step.ms >= LEAST_HOOK_MS)
        found.push({
          ...{ kind: hasWaited(step, index) ? 'wait' : 'hook', name: step.hook, node: model.node.at(index) },
          ...{ from, to, selfMs: step.ms, index, open: false },
        });
      to = from;
    }
    return found;
  }

  function hasWaited({ stage, hook }: TraceStep, index: number): boolean {
    const notes = model.events[index]?.notes ?? [];
    return stage === 'approve' && notes.some(({ by, code }) => by === hook && code === 'answered');
  }
}

type Period = readonly [from: number, to: number];

/**
 * Returns the periods of the sub-agents by the tool call that started them. Events do not name that call: it is the call that contains the sub-agent,
 * with its name if there is one, else the latest.
 */
function periodsOf(model: RunModel, timeOf: (index: number) => number): ReadonlyMap<Span, readonly Period[]> {
  const periods = new Map<Span, Period[]>();
  for (const { parent, byLane, info } of model.nodes) {
    const indexes = byLane.flatMap((lane) => (lane.length > 0 ? [lane.at(0), lane.at(lane.length - 1)] : []));
    const [begin, end] = [Math.min(...indexes), Math.max(...indexes)];
    const around = (model.nodes[parent]?.acting ?? []).filter(({ from, to }) => from <= begin && (to < 0 || to >= end));
    const named = around.findLast(({ from }) => nameOf(model, from) === info.agent);
    const span = named ?? around.at(-1);
    if (span) periods.set(span, [...(periods.get(span) ?? []), [timeOf(begin), timeOf(end)]]);
  }
  return periods;
}

function nameOf({ events }: RunModel, index: number): string | undefined {
  const event = events[index];
  return event?.type === 'preActing' ? event.toolCall.name : undefined;
}

/** Returns the total length of periods, which may overlap. */
function unionMs(periods: readonly Period[]): number {
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const [from, to] of [...periods].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}
