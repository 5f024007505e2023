import { concat, from, map, NEVER, of, throwError } from 'rxjs';
import type { ErrorEvent } from '../../events/error-event.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import { userMessage } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../pipeline/define/model.ts';
import { defineTool } from '../../pipeline/define/tool.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { scriptedTool } from '../scripts/scripted-tool.ts';
import { toolCall } from '../tool-call.ts';
import type { Bench, Case } from './bench.ts';

const text = (delta: string): ModelChunk => ({ type: 'text', delta });
const FAILS = 'with a step that fails';
const BASH = toolCall('bash', { command: 'ls' });
const sources = {
  'with a step that answers': of('Hel', 'lo'),
  'with a step that gives nothing': from([] as string[]),
  [FAILS]: concat(
    of('Hel'),
    throwError(() => new Error('the step fails')),
  ),
};
const endless$ = concat(of('Hel'), NEVER);

/** Runs the wrappers of the hook around steps that answer, complete empty, fail, and are cancelled. */
export async function checkArounds(bench: Bench, calls: readonly ToolCall[]): Promise<void> {
  const steps = [
    { phase: 'reasoning' as const, call: BASH },
    ...[BASH, ...calls].map((call) => ({ phase: 'acting' as const, call })),
  ];
  for (const { phase, call } of steps.filter((one) => bench.hook.around?.[one.phase])) {
    const where = `around.${phase}`;
    const attempt = (when: string, source$: typeof endless$, cancel: boolean): Case => ({
      ...{ where, when, cancel },
      start: (hook, options) => step(phase, call, hook, options, source$),
    });
    for (const [when, source$] of Object.entries(sources)) {
      const { events } = await bench.play(attempt(when, source$, false));
      for (const { error } of events.filter(isHookError)) {
        // If the step fails, a wrapper may fail with another error.
        if (source$ !== sources[FAILS] || error.code === 'HOOK_CONTRACT') {
          bench.issues.add(where, `fails: ${error.message} (${when})`);
        }
      }
    }
    await bench.play(attempt('with a step that is cancelled', endless$, true));
  }
}

function step(
  phase: 'reasoning' | 'acting',
  call: ToolCall,
  hook: Hook,
  options: PipelineOptions,
  source$: typeof endless$,
) {
  const { on: _, through: __, observe: ___, approve: ____, ...only } = hook;
  const run = createPipeline([only as Hook], options).start({ agent: 'agent' });
  const model: Model = () => source$.pipe(map(text));
  const tool = defineTool({ ...scriptedTool({ name: call.name }), execute: () => source$ });
  return phase === 'reasoning' ? run.reason({ messages: [userMessage('hi')] }, model) : run.act(call, [tool]);
}

function isHookError(event: SettledEvent): event is SettledEvent<ErrorEvent> {
  return event.type === 'error' && event.source === 'hook';
}
