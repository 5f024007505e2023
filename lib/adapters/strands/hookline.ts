import { HooklineError } from '../../errors.ts';
import { checkHooks, checkSettings, runSettings } from '../../loops/check-hooks.ts';
import { hostPendingCallStore, pendingCallStore } from '../../loops/pending/pending-call-store.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import { hookedCall } from './hooked-call.ts';
import { hookedModel } from './hooked-model.ts';
import type { HooklineOptions } from './hookline-options.ts';
import { HostRun, type Scene } from './host-run.ts';
import type { HostAgent, HostModelContext, HostModelResult, HostToolResult, HostToolStage } from './host-strands.ts';
import { toHostTool } from './own-tool.ts';
import type { HostStrands } from './strands-module.ts';

/** A plugin of Strands. */
export interface HooklinePlugin {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
  initAgent(agent: any): void;
  // biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
  getTools(): any[];
}

const CLASSES = [
  ...(['Model', 'Message', 'FunctionTool', 'ToolResultBlock', 'ToolStreamEvent'] as const),
  ...(['BeforeInvocationEvent', 'AfterInvocationEvent', 'AfterModelCallEvent', 'AfterToolsEvent'] as const),
  ...(['contentBlockFromData', 'toolResultContentFromData'] as const),
];
const NEEDED = [...CLASSES, 'InvokeModelStage', 'ExecuteToolStage'] as const;

const KNOWN = [...runSettings, 'buffer'];

/** Runs before and after all handlers of Strands and other plugins. */
const FIRST = { order: -1_000 };
const LAST = { order: 1_000 };

/**
 * Returns a plugin for Strands that runs the hooks of `pipeline` around every model request and tool call of an agent. Put it last among the agent's
 * plugins. `strands` is the module. One invocation is one run. If a hook aborts, the invocation rejects with `RunAborted`. Suspended calls use
 * Strands' interrupts. Throws `INPUT_INVALID` for any other module.
 */
export function hookline(strands: HostStrands, pipeline: Pipeline, options: HooklineOptions): HooklinePlugin {
  const missing = NEEDED.find((name) => strands?.[name] === undefined);
  if (missing)
    throw invalid(
      `the first argument must be the Strands module (import * as strands from '@strands-agents/sdk'); it has no ${missing}`,
    );
  const issue = checkHooks(pipeline, options, KNOWN);
  if (issue !== undefined) throw invalid(issue);
  const scene = { strands, pipeline };
  const common = { pendingCalls: pendingCallStore(memoryStateStore()), ...options };
  return {
    name: 'hookline',
    getTools: () => pipeline.tools.map((tool) => toHostTool(strands, tool)),
    initAgent: (agent: HostAgent) => attach(scene, common, agent),
  };
}

interface Invocation {
  readonly agent: HostAgent;
  readonly invocationState: { readonly hookline?: unknown };
}

function attach(scene: Scene, common: HooklineOptions, agent: HostAgent): void {
  const { strands } = scene;
  if (typeof agent?.addHook !== 'function' || typeof agent.addMiddleware !== 'function')
    throw invalid('the plugin must be in the plugins of a Strands agent; the given agent has no addMiddleware');
  if ('_backgroundTasks' in agent && agent._backgroundTasks)
    throw invalid('background tools outlive the run of their hooks; remove backgroundTasks from the agent');
  let current: HostRun | undefined;
  const running = (): HostRun => {
    if (!current) throw invalid('the agent called a model or a tool outside of a run');
    return current;
  };

  agent.addHook(
    strands.BeforeInvocationEvent,
    ({ invocationState }: Invocation) => {
      current = new HostRun(scene, settingsOf(common, agent, invocationState.hookline), agent.cancelSignal);
    },
    FIRST,
  );
  agent.addHook(
    strands.AfterModelCallEvent,
    ({ error }: { readonly error?: unknown }) => {
      if (current) current.error = error;
    },
    FIRST,
  );
  agent.addHook(
    strands.AfterToolsEvent,
    (event: { endTurn: unknown }) => {
      if (current?.finishing && event.endTurn === false) event.endTurn = true;
    },
    LAST,
  );
  agent.addHook(
    strands.AfterInvocationEvent,
    async () => {
      const run = current;
      current = undefined;
      await run?.end();
      if (run?.aborted) throw run.aborted;
    },
    LAST,
  );

  agent.addMiddleware(
    strands.InvokeModelStage,
    async function* (context: HostModelContext, next: Step<HostModelContext, HostModelResult>) {
      const run = await running().next();
      current = run;
      const { model, wasAsked } = hookedModel(strands, context.model, run);
      const result = yield* watched(run, next({ ...context, model }));
      if (!wasAsked()) throw bypassed('the model of a request');
      return { result };
    },
  );
  agent.addMiddleware(
    strands.ExecuteToolStage,
    async function* (stage: HostToolStage, next: Step<HostToolStage, HostToolResult>) {
      const run = running();
      const { tool, wasRun } = await hookedCall(scene, run, stage);
      const result = yield* watched(run, next({ ...stage, tool }));
      if (!wasRun()) throw bypassed(`the tool "${stage.toolUse.name}"`);
      return { result };
    },
  );
}

type Work<R> = AsyncGenerator<object, { readonly result: R }>;
type Step<C, R> = (context: C) => Work<R>;

/** Rejects with the hook's abort itself. Ends the run if the consumer stops reading. */
async function* watched<R>(run: HostRun, work: Work<R>): AsyncGenerator<object, R> {
  let over = false;
  try {
    const { result } = yield* work;
    over = true;
    return result;
  } catch (thrown) {
    over = true;
    throw run.aborted ?? thrown;
  } finally {
    if (!over) run.cancel();
  }
}

/** Returns the settings of one run. `invocationState.hookline` overrides the options, and the session is that of the session manager. */
function settingsOf(
  common: HooklineOptions,
  { sessionManager, sessionId }: HostAgent,
  own: unknown = {},
): HooklineOptions {
  const issue = checkSettings(own, KNOWN.slice(1));
  if (issue !== undefined) throw new HooklineError('INPUT_INVALID', `invocationState.hookline ${issue}.`);
  const { pendingCalls, ...settings } = { ...common, ...(own as Partial<HooklineOptions>) };
  return {
    ...(sessionManager && { sessionId }),
    ...settings,
    ...(pendingCalls && { pendingCalls: hostPendingCallStore(pendingCalls) }),
  };
}

function bypassed(what: string): HooklineError {
  return new HooklineError(
    'INPUT_INVALID',
    `Another plugin replaced ${what}, or responded instead of it, after the hooks: put hookline(..) last in \`plugins\`.`,
  );
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookline(strands, pipeline, options): ${why}.`);
}
