import { HooklineError } from '../../errors.ts';
import { faultOfHooks, faultOfSettings } from '../../loops/fault-of-hooks.ts';
import { heldCallsIn, heldWithHost } from '../../loops/held/held-calls.ts';
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

const KNOWN = [
  ...(['agent', 'sessionId', 'userId', 'metadata', 'deliver', 'mediaStore', 'transcript', 'onEvent', 'held'] as const),
  'buffer' as const,
];

/** Before and after all that the host and other plugins do. */
const FIRST = { order: -1_000 };
const LAST = { order: 1_000 };

/**
 * A plugin of Strands that puts the hooks of `pipeline` around every model request and every tool of an agent; put it last among the agent's
 * plugins. `strands` is the module itself. One invocation is one run; a hook that aborts makes it reject with `RunAborted`. Approvers suspend by the
 * interrupts of the host. Throws `INPUT_INVALID` for what is not that module.
 */
export function hookline(strands: HostStrands, pipeline: Pipeline, options: HooklineOptions): HooklinePlugin {
  const missing = NEEDED.find((name) => strands?.[name] === undefined);
  if (missing)
    throw invalid(
      `the first argument must be the module of Strands (import * as strands from '@strands-agents/sdk'); it has no ${missing}`,
    );
  const fault = faultOfHooks(pipeline, options, KNOWN);
  if (fault !== undefined) throw invalid(fault);
  const scene = { strands, pipeline };
  const common = { held: heldCallsIn(memoryStateStore()), ...options };
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
    throw invalid('the plugin goes among the plugins of an agent of Strands; what it was given has no addMiddleware');
  if ('_backgroundTasks' in agent && agent._backgroundTasks)
    throw invalid(
      'tools that run in the background outlive the run of their hooks; take backgroundTasks out of the agent',
    );
  let current: HostRun | undefined;
  const running = (): HostRun => {
    if (!current) throw invalid('the agent asked a model or a tool outside of a run');
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

/** Rejects with the abort of a hook as it is, and ends the run where nobody reads what the host goes on to say. */
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
    if (!over) run.leave();
  }
}

/** What holds for one run: its own settings are in `invocationState.hookline`, and its session is that of the session manager. */
function settingsOf(
  common: HooklineOptions,
  { sessionManager, sessionId }: HostAgent,
  own: unknown = {},
): HooklineOptions {
  const fault = faultOfSettings(own, KNOWN.slice(1));
  if (fault !== undefined) throw new HooklineError('INPUT_INVALID', `invocationState.hookline ${fault}.`);
  const { held, ...settings } = { ...common, ...(own as Partial<HooklineOptions>) };
  return { ...(sessionManager && { sessionId }), ...settings, ...(held && { held: heldWithHost(held) }) };
}

function bypassed(what: string): HooklineError {
  return new HooklineError(
    'INPUT_INVALID',
    `Another plugin has replaced ${what}, or answered in its place, behind the hooks: put hookline(..) last in \`plugins\`.`,
  );
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookline(strands, pipeline, options): ${why}.`);
}
