import { isChunk } from '../../../events/chunk-text.ts';
import type { EventOf, SettledEvent } from '../../../events/hook-event.ts';
import { addUsage, type Usage } from '../../../events/parts/usage.ts';
import type { RunView } from '../run-view.ts';
import type { AddCost } from './run-prices.ts';
import type { SubRun, Sums } from './sub-run.ts';

const MOST_TOOLS = 50;
const MOST_SUB_RUNS = 50;
const MOST_ERROR = 200;

/** Returns the view of a run with its sums after one more event of the run or a sub-agent. If nothing changed, it is the same object. */
export function advanceSums(view: RunView, event: SettledEvent, addCost: AddCost): RunView {
  if (isChunk(event)) return view;
  const { runId } = event.run;
  switch (event.type) {
    case 'preCall':
      return runId === view.runId ? view : withSubRun(view, event);
    case 'preReasoning':
      return changed(view, runId, ({ model: _, ...sub }) => withModel(sub, event.model));
    case 'postReasoning': {
      const { usage } = event;
      if (!usage) return view;
      const model = runId === view.runId ? view.model : view.subRuns?.find((sub) => sub.runId === runId)?.model;
      return summed(view, runId, (sums) => spent(sums, usage, addCost(sums, usage, model)));
    }
    case 'preActing':
      return withTool(view, event.toolCall.name);
    case 'postActing':
      if (event.outcome !== 'denied') return view;
      return summed(view, runId, (sums) => ({ ...sums, refusals: (sums.refusals ?? 0) + 1 }));
    case 'error':
      return { ...view, lastError: shortened(event.error.message) };
    case 'postCall': {
      const settle = <T extends Sums & Pick<RunView, 'model'>>(of: T): T => settled(of, event, addCost);
      if (runId === view.runId) return settle(view);
      return changed(view, runId, (sub) => ({ ...settle(sub), ...endOf(event) }));
    }
    default:
      return view;
  }
}

/** Changes the sums of a run and of all above it. */
function summed(view: RunView, runId: string, change: <T extends Sums>(sums: T) => T): RunView {
  const above = new Set<string>();
  for (let at: string | undefined = runId; at !== undefined && !above.has(at); ) {
    above.add(at);
    at = view.subRuns?.find((sub) => sub.runId === at)?.parent;
  }
  const subRuns = view.subRuns?.map((sub) => (above.has(sub.runId) ? change(sub) : sub));
  return change(subRuns ? { ...view, subRuns } : view);
}

/** Changes a sub-agent. */
function changed(view: RunView, runId: string, change: (sub: SubRun) => SubRun): RunView {
  if (!view.subRuns?.some((sub) => sub.runId === runId)) return view;
  return { ...view, subRuns: view.subRuns.map((sub) => (sub.runId === runId ? change(sub) : sub)) };
}

function spent<T extends Sums>({ cost: _, ...sums }: T, usage: Usage | undefined, cost: Sums['cost']): T {
  const total = addUsage(sums.usage, usage);
  return { ...sums, ...(total && { usage: total }), ...(cost && { cost }) } as T;
}

/** The total of an ended run also has the usage of hooks that asked a model. A suspended one does not have that of suspended sub-agents. */
function settled<T extends Sums & Pick<RunView, 'model'>>(
  of: T,
  { usage: total, outcome }: EventOf<'postCall'>,
  addCost: AddCost,
): T {
  if (!total || (outcome === 'suspended' && size(total) < size(of.usage))) return of;
  const rest = restOf(total, of.usage);
  const { usage: _, ...known } = spent(of, undefined, addCost(of, rest, of.model));
  return { ...known, usage: total } as T;
}

function size(usage: Usage | undefined): number {
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
}

function restOf(total: Usage, known: Usage | undefined): Usage | undefined {
  if (size(total) <= size(known)) return undefined;
  return {
    inputTokens: Math.max(0, total.inputTokens - (known?.inputTokens ?? 0)),
    outputTokens: Math.max(0, total.outputTokens - (known?.outputTokens ?? 0)),
    cachedInputTokens: Math.max(0, (total.cachedInputTokens ?? 0) - (known?.cachedInputTokens ?? 0)),
  };
}

function withSubRun(view: RunView, { run, time }: EventOf<'preCall'> & { readonly time: number }): RunView {
  const { subRuns = [], moreSubRuns = 0 } = view;
  const parent = run.parentRunId ?? view.runId;
  const resumed = subRuns.find(({ runId }) => runId === run.resumedFrom);
  if (resumed) {
    const { endedAt: _, outcome: __, ...rest } = resumed;
    const again: SubRun = { ...rest, runId: run.runId, parent, state: 'running' };
    return { ...view, subRuns: subRuns.map((sub) => (sub === resumed ? again : sub)) };
  }
  if (subRuns.length >= MOST_SUB_RUNS) return { ...view, moreSubRuns: moreSubRuns + 1 };
  const sub: SubRun = {
    runId: run.runId,
    parent,
    agent: run.agent,
    state: 'running',
    startedAt: new Date(time).toISOString(),
  };
  return { ...view, subRuns: [...subRuns, sub] };
}

function endOf({ outcome, time }: SettledEvent<EventOf<'postCall'>>): Pick<SubRun, 'state' | 'outcome' | 'endedAt'> {
  return { state: outcome === 'suspended' ? 'suspended' : 'ended', outcome, endedAt: new Date(time).toISOString() };
}

function withModel(sub: SubRun, model: string | undefined): SubRun {
  return model === undefined ? sub : { ...sub, model };
}

function withTool(view: RunView, tool: string): RunView {
  const { tools = [] } = view;
  return tools.includes(tool) || tools.length >= MOST_TOOLS ? view : { ...view, tools: [...tools, tool] };
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MOST_ERROR ? `${[...line].slice(0, MOST_ERROR - 1).join('')}…` : line;
}
