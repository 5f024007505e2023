import type { TraceStep } from '../../../pipeline/define/hook.ts';
import type { RunModel, RunNode, Span } from './run-model.ts';

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
    const inside = kind === 'tool' ? unionMs(childrenOf(node, span)) : 0;
    return { kind, name: name || 'model request', node, from, to, selfMs: to - from - inside, index: span.from, open };
  }

  /** The periods of the sub-agents that ran inside a step. */
  function childrenOf(parent: number, { from, to }: Span): readonly (readonly [number, number])[] {
    const inside = ({ parent: of, byLane }: RunNode): readonly (readonly [number, number])[] => {
      const [first] = byLane;
      const begin = first && first.length > 0 ? first.at(0) : -1;
      if (of !== parent || begin < from || (to >= 0 && begin > to)) return [];
      const end = byLane.reduce(
        (latest, lane) => (lane.length > 0 ? Math.max(latest, lane.at(lane.length - 1)) : latest),
        begin,
      );
      return [[timeOf(begin), timeOf(end)]];
    };
    return model.nodes.flatMap(inside);
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

/** Returns the total length of periods, which may overlap. */
function unionMs(periods: readonly (readonly [number, number])[]): number {
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const [from, to] of [...periods].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}
