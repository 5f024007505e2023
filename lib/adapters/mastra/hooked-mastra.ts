import type { HooklineError } from '../../errors.ts';
import { checkHooks, checkSettings, runSettings } from '../../loops/check-hooks.ts';
import { overlaid } from '../../loops/overlaid.ts';
import { memoryPendingCallStore } from '../../loops/pending/pending-call-store.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { describeTool, type Tool } from '../../pipeline/define/tool.ts';
import type { LanguageModel } from '../ai-sdk/language-model.ts';
import { hookedModel } from '../ai-sdk/loop/hooked-model.ts';
import { HostCall } from '../ai-sdk/loop/host-call.ts';
import { refused } from './check-options.ts';
import { checkedParts, invalid } from './checked-parts.ts';
import { clientNames } from './client-names.ts';
import type { HookedMastraCallOptions, HookedMastraOptions } from './hooked-mastra-options.ts';
import { answersOf, hookedMethods, type Resumed } from './hooked-methods.ts';
import type { AgentOptions, HostContext, MastraAgent, MastraTools, ToolContext } from './host-mastra.ts';
import { mastraTools, type Running, toolsOf } from './mastra-tools.ts';
import type { Begun } from './watched-stream.ts';

/** The model and tools for an agent of Mastra, and the wrapper for the agent. */
export interface HookedMastra<T> {
  // biome-ignore lint/suspicious/noExplicitAny: the model's type is of the package, which is not imported.
  readonly model: (context: any) => any;
  /** The given tools, and those of hooks. */
  readonly tools: T;
  /** Wraps an agent that has this model and these tools. Each of its invocations is one run. */
  readonly hookedAgent: <A extends MastraAgent>(agent: A) => A & HookedAgent<A>;
}

/** The methods of an agent with the option `hookline`. Their results have the type for any output. */
export interface HookedAgent<A extends MastraAgent> {
  // biome-ignore lint/suspicious/noExplicitAny: each method has its own messages.
  generate(messages: any, options: HooklineOption): ReturnType<A['generate']>;
  // biome-ignore lint/suspicious/noExplicitAny: each method has its own messages.
  stream(messages: any, options: HooklineOption): ReturnType<A['stream']>;
}

interface HooklineOption {
  readonly hookline: HookedMastraCallOptions;
  readonly [option: string]: unknown;
}

const KNOWN = [...runSettings, 'buffer'];

/**
 * Returns a language model and tools for agents of Mastra 1, with the hooks of `pipeline`. Pass `new Agent({ model, tools, .. })` to `hookedAgent`,
 * so that each invocation is a run. If a hook aborts, `generate` rejects with `RunAborted`, and a stream fails with it. Suspended calls
 * use Mastra's tool suspension. Throws `INPUT_INVALID` for an invalid model, invalid tools or unknown options.
 */
export function hookedMastra<T extends MastraTools = Record<never, never>>(
  parts: { readonly model: LanguageModel; readonly tools?: T },
  pipeline: Pipeline,
  options: HookedMastraOptions,
): HookedMastra<T> {
  const { model, tools } = checkedParts(parts);
  const issue = checkHooks(pipeline, options, [...KNOWN, 'unhooked']);
  if (issue !== undefined) throw invalid(issue);
  const { unhooked = [], ...rest } = options;
  const common = { pendingCalls: memoryPendingCallStore(), ...rest };
  /** Used by models. */
  const byContext = new WeakMap<object, Running>();
  /** Used by tools: a resumed run gets another context, restored from storage. */
  const byRun = new Map<string, WeakRef<Running>>();
  // Mastra keeps the options of a run until the run ends, or while its stream can still be read.
  const left = new FinalizationRegistry<string>((runId) => {
    if (byRun.get(runId)?.deref() === undefined) byRun.delete(runId);
  });
  let Context: (new (entries?: Iterable<readonly [string, unknown]>) => HostContext) | undefined;

  const hooked = mastraTools(tools, pipeline.tools, ({ runId = '' }, name) =>
    inRun(byRun.get(runId)?.deref(), `the tool "${name}"`),
  );
  // Mastra describes tools in its own format.
  const described = new Map(pipeline.tools.map((tool) => [tool.name, describedAs(tool)]));
  const asks = pipeline.hooks.some(({ approve }) => approve !== undefined);
  const known = new Set([...Object.keys(hooked), ...unhooked]);

  const modelOf = (context: ToolContext): LanguageModel => {
    Context ??= context.requestContext?.constructor as typeof Context;
    const ask = (name: 'doStream' | 'doGenerate') => async (asked: { readonly tools?: readonly OfferedTool[] }) => {
      const { call, ofClient } = inRun(context.requestContext && byContext.get(context.requestContext), 'the model');
      const offered = checkTools(asked.tools ?? [], (name) => known.has(name) || ofClient.has(name)).map((tool) => ({
        ...tool,
        ...described.get(tool.name),
      }));
      const request = { ...asked, ...(asked.tools && { tools: offered }) };
      return (hookedModel(model, call) as unknown as Record<string, (asked: object) => unknown>)[name]?.(request);
    };
    const whole = 'doGenerate' in model && { doGenerate: ask('doGenerate') };
    return overlaid(model, { doStream: ask('doStream'), ...whole });
  };

  /** Starts a run with the options of an invocation. If the context belongs to another run, it is copied. */
  const begin = (given: AgentOptions, resumed?: Resumed): Begun => {
    const {
      hookline = {},
      requestContext: own,
      abortSignal,
      toolCallId,
      runId = globalThis.crypto.randomUUID(),
    } = given;
    const wrong = checkSettings(hookline, KNOWN.slice(1));
    if (wrong !== undefined) throw invalid(`the option hookline ${wrong}`);
    const Made = (own?.constructor as typeof Context) ?? Context;
    if (!Made) throw invalid('the agent does not use the model that hookedMastra returned; create it with that model');
    // The stream of a resumed run may not have been read to its end.
    if (!resumed && byRun.get(runId)?.deref()?.call.signal.aborted === false) throw underWay(runId);
    const answers = answersOf(toolCallId, resumed?.data);
    const call = new HostCall(pipeline, { ...common, ...(hookline as object), answers }, [], abortSignal);
    const running = {
      call,
      tools: toolsOf(call, tools, pipeline.tools),
      answered: new Set(Object.keys(answers)),
      ofClient: clientNames(given),
    };
    const requestContext = own && !byContext.has(own) ? own : new Made(own?.entries());
    byContext.set(requestContext, running);
    byRun.set(runId, new WeakRef(running));
    left.register(running, runId);
    const end: Begun['end'] = async (error) => {
      const reason = await call.end(error);
      if (byRun.get(runId)?.deref() === running) byRun.delete(runId);
      byContext.delete(requestContext);
      return reason;
    };
    return { call, options: { runId, requestContext }, end };
  };

  return {
    model: modelOf,
    tools: hooked as unknown as T,
    hookedAgent: <A extends MastraAgent>(agent: A) =>
      hookedMethods(agent, {
        hasContext: () => Context !== undefined,
        asks,
        isHooked: (name) => Object.hasOwn(hooked, name),
        isKnown: (name) => known.has(name),
        is: (name, tool) => tool !== undefined && tool.execute === hooked[name]?.execute,
        begin,
      }) as A & HookedAgent<A>,
  };
}

interface OfferedTool {
  readonly type: string;
  readonly name: string;
}

/** Rejects a model request with tools without hooks, unless `unhooked` names them. Mastra may add its own tools. */
function checkTools(asked: readonly OfferedTool[], isKnown: (name: string) => boolean): readonly OfferedTool[] {
  const past = asked.find(({ type, name }) => type === 'function' && !isKnown(name));
  if (!past) return asked;
  throw invalid(
    `the tool "${past.name}" is not in tools, so its calls would bypass the hooks; remove it, or name it in the option unhooked`,
  );
}

/** Returns the description of a hook's tool. */
function describedAs(tool: Tool): object {
  const { description, inputSchema } = describeTool(tool);
  return { description, inputSchema };
}

function inRun(running: Running | undefined, what: string): Running {
  if (running) return running;
  throw invalid(`${what} was called outside of a run; pass the agent to hookedAgent(..)`);
}

function underWay(runId: string): HooklineError {
  return refused(
    `a run with the runId ${JSON.stringify(runId)} is active, and Mastra would mix the tools of both; use another runId, or none`,
  );
}
