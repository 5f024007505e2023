import type { HooklineError } from '../../../errors.ts';
import { faultOfHooks, faultOfSettings } from '../../../loops/fault-of-hooks.ts';
import { heldCallsInMemory } from '../../../loops/held/held-calls.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import { describeTool, type Tool } from '../../../pipeline/define/tool.ts';
import type { LanguageModel } from '../language-model.ts';
import { hookedModel } from '../loop/hooked-model.ts';
import { HostCall } from '../loop/host-call.ts';
import { refused } from './check-options.ts';
import { checkedParts, invalid } from './checked-parts.ts';
import { clientNames } from './client-names.ts';
import type { HookedMastraCallOptions, HookedMastraOptions } from './hooked-mastra-options.ts';
import { answersOf, hookedMethods, type Resumed } from './hooked-methods.ts';
import type { AgentOptions, HostContext, MastraAgent, MastraTools, ToolContext } from './host-mastra.ts';
import { mastraTools, type Running, toolsOf } from './mastra-tools.ts';
import type { Begun } from './watched-stream.ts';

/** What an agent of Mastra is made with, and of. */
export interface HookedMastra<T> {
  // biome-ignore lint/suspicious/noExplicitAny: the model's type is of the package, which is not imported.
  readonly model: (context: any) => any;
  /** The tools, and those that hooks bring. */
  readonly tools: T;
  /** The agent, made with that model and these tools: each of its invocations is one run. */
  readonly hookedAgent: <A extends MastraAgent>(agent: A) => A & HookedAgent<A>;
}

/** What the methods of an agent take beside their own options; their results are those of any output. */
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

const KNOWN = [
  ...(['agent', 'sessionId', 'userId', 'metadata', 'deliver', 'mediaStore', 'transcript', 'onEvent', 'held'] as const),
  'buffer' as const,
];

/**
 * A language model and tools for agents of Mastra 1 with the hooks of `pipeline` around them, and what makes runs of the agent's invocations:
 * `new Agent({ model, tools, .. })` goes into `hookedAgent`. A hook that aborts makes `generate` reject with `RunAborted`; a stream ends by an `abort`
 * part. Approvers suspend as tools of Mastra do. Throws `INPUT_INVALID` for a model that is no object, for tools that are none, and for what is not known.
 */
export function hookedMastra<T extends MastraTools = Record<never, never>>(
  parts: { readonly model: LanguageModel; readonly tools?: T },
  pipeline: Pipeline,
  options: HookedMastraOptions,
): HookedMastra<T> {
  const { model, tools } = checkedParts(parts);
  const fault = faultOfHooks(pipeline, options, [...KNOWN, 'unhooked']);
  if (fault !== undefined) throw invalid(fault);
  const { unhooked = [], ...rest } = options;
  const common = { held: heldCallsInMemory(), ...rest };
  /** For models. */
  const byContext = new WeakMap<object, Running>();
  /** For tools: one that goes on gets another context, made of what was stored. */
  const byRun = new Map<string, WeakRef<Running>>();
  // Mastra holds what it is given for a run until that has ended, or for as long as somebody may still read its stream.
  const left = new FinalizationRegistry<string>((runId) => {
    if (byRun.get(runId)?.deref() === undefined) byRun.delete(runId);
  });
  let Context: (new (entries?: Iterable<readonly [string, unknown]>) => HostContext) | undefined;

  const hooked = mastraTools(tools, pipeline.tools, ({ runId = '' }, name) =>
    inRun(byRun.get(runId)?.deref(), `the tool "${name}"`),
  );
  // Mastra tells them in words of its own.
  const told = new Map(pipeline.tools.map((tool) => [tool.name, describedAs(tool)]));
  const asks = pipeline.hooks.some(({ approve }) => approve !== undefined);
  const known = new Set([...Object.keys(hooked), ...unhooked]);

  const modelOf = (context: ToolContext): LanguageModel => {
    Context ??= context.requestContext?.constructor as typeof Context;
    const ask = (name: 'doStream' | 'doGenerate') => async (asked: { readonly tools?: readonly OfferedTool[] }) => {
      const { call, ofClient } = inRun(context.requestContext && byContext.get(context.requestContext), 'the model');
      const offered = checkTools(asked.tools ?? [], (name) => known.has(name) || ofClient.has(name)).map((tool) => ({
        ...tool,
        ...told.get(tool.name),
      }));
      const request = { ...asked, ...(asked.tools && { tools: offered }) };
      return (hookedModel(model, call) as unknown as Record<string, (asked: object) => unknown>)[name]?.(request);
    };
    const own: { readonly [name: PropertyKey]: unknown } = {
      doStream: ask('doStream'),
      ...('doGenerate' in model && { doGenerate: ask('doGenerate') }),
    };
    return new Proxy(model, {
      get: (target, name) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(target, name, target)),
    });
  };

  /** Begins a run with what belongs to the invocation; of a context that another one has already, with a copy. */
  const begin = (given: AgentOptions, resumed?: Resumed): Begun => {
    const {
      hookline = {},
      requestContext: own,
      abortSignal,
      toolCallId,
      runId = globalThis.crypto.randomUUID(),
    } = given;
    const wrong = faultOfSettings(hookline, KNOWN.slice(1));
    if (wrong !== undefined) throw invalid(`the option hookline ${wrong}`);
    const Made = (own?.constructor as typeof Context) ?? Context;
    if (!Made) throw invalid('the agent was not made with the model that hookedMastra gives');
    // One that is gone on with may not have been read to its end.
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

/** Refuses to ask with tools that run past the hooks, unless they are named: Mastra may add some of its own. */
function checkTools(asked: readonly OfferedTool[], isKnown: (name: string) => boolean): readonly OfferedTool[] {
  const past = asked.find(({ type, name }) => type === 'function' && !isKnown(name));
  if (!past) return asked;
  throw invalid(
    `the tool "${past.name}" is none of tools, so that its calls would run past the hooks: take it out, or name it in the option unhooked`,
  );
}

/** What hooks say of a tool of theirs. */
function describedAs(tool: Tool): object {
  const { description, inputSchema } = describeTool(tool);
  return { description, inputSchema };
}

function inRun(running: Running | undefined, what: string): Running {
  if (running) return running;
  throw invalid(`${what} was asked outside of a run: give the agent to hookedAgent(..)`);
}

function underWay(runId: string): HooklineError {
  return refused(
    `a run with the runId ${JSON.stringify(runId)} is under way, and Mastra would run the tools of one in the other; give each its own, or none`,
  );
}
