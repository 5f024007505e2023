import type { RunInfo } from '../../events/parts/run-info.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import type { colours } from './colours.ts';
import { createScreen, type Screen } from './screen.ts';
import { createActingView } from './show-acting.ts';
import { createEndingView } from './show-ending.ts';
import { showHooks } from './show-hooks.ts';
import { createReasoningView } from './show-reasoning.ts';

type Show = (report: TraceReport) => void;

/** Creates a view of runs for people: streamed text, tool calls, effects of hooks, and the end. */
export function liveView(write: (text: string) => void, paint: ReturnType<typeof colours>): Show {
  const screenAt = createScreen(write, paint);
  const runs = new Map<string, Show>();
  return (report) => {
    const { run, type } = report.event;
    const show = runs.get(run.runId) ?? viewOf(run, screenAt({ indent: '  '.repeat(run.depth) }));
    runs.set(run.runId, show);
    show(report);
    if (type === 'postCall') runs.delete(run.runId);
  };
}

function viewOf({ depth, agent, runId, resumedFrom }: RunInfo, screen: Screen): Show {
  if (depth > 0) screen.lines(runId, `${agent}:`, 'bold');
  else if (resumedFrom !== undefined) screen.lines('resumed', '(The run continues.)', 'dim');
  const reasoning = createReasoningView(screen, runId);
  const acting = createActingView(screen);
  const ending = createEndingView(screen, reasoning);
  return (report) => {
    const { event } = report;
    switch (event.type) {
      case 'preReasoning':
      case 'reasoningChunk':
      case 'postReasoning':
        reasoning.show(event, report.steps);
        if (event.type === 'postReasoning') acting.asked(event.message);
        return;
      case 'preActing':
      case 'actingChunk':
      case 'postActing':
        return acting.show(event, report.steps);
      case 'preCall':
        return showHooks(screen, 'call', event, report.steps);
      case 'error':
      case 'postCall':
        return ending.show(event, report.steps);
    }
  };
}
