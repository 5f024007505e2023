import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { HostAnswer } from '../../loops/loop-run.ts';
import { overlaid } from '../../loops/overlaid.ts';
import { RunAborted } from '../../loops/run-aborted.ts';
import { checkedToolHooks, checkOptions, checkTools, type HookedNames, refused } from './check-options.ts';
import { checkedProcessors } from './checked-processors.ts';
import { clientNames } from './client-names.ts';
import type { AgentOptions, HostProcessor, MastraAgent } from './host-mastra.ts';
import { type Begun, endings, watchedStream } from './watched-stream.ts';

type Answers = Readonly<Record<string, Omit<HostAnswer, 'pending'>>>;
type Begin = (options: AgentOptions, resumed?: Resumed) => Begun;
// biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
type Agent = { readonly [method: string]: (...args: any[]) => any };

/** The answer with which a run resumes. */
export interface Resumed {
  readonly data: unknown;
}

interface Hooks extends HookedNames {
  readonly hasContext: () => boolean;
  readonly asks: boolean;
  readonly begin: Begin;
}

/** Returns the agent with one run for each invocation. Methods that would bypass the hooks are rejected. */
export function hookedMethods<A extends MastraAgent>(given: A, { hasContext, asks, begin, ...names }: Hooks): A {
  const agent = given as unknown as Agent;
  if (typeof agent?.['generate'] !== 'function' || typeof agent['stream'] !== 'function')
    throw refused('it must be a Mastra agent (new Agent(..)); it has no generate and stream');
  const processorsOf = async (options: AgentOptions, within: HookedNames): Promise<object> => {
    const { inputProcessors, requestContext } = options;
    const listed = inputProcessors ?? (await agent['listConfiguredInputProcessors']?.(requestContext)) ?? [];
    return listed.length > 0 ? { inputProcessors: checkedProcessors(listed as HostProcessor[], within) } : {};
  };
  const amend = async (asked: AgentOptions | null | undefined, resumed?: Resumed): Promise<Begun> => {
    const invoked = asked ?? {};
    // The agent requests its model with a context, which reveals the class of contexts.
    if (!hasContext()) await agent['getModel']?.();
    const { requestContext } = invoked;
    const defaults = ((await agent['getDefaultOptions']?.({ requestContext })) ?? {}) as AgentOptions;
    for (const options of [defaults, invoked]) checkOptions(options, names);
    if (!agent['listTools']) throw refused('it must be a Mastra 1 agent; it has no listTools');
    const all = merged(defaults, invoked);
    const { hookline: _, ...rest } = all;
    checkTools(await agent['listTools']({ requestContext: rest.requestContext, resolveWebSearch: false }), names);
    const ofClient = clientNames(rest);
    // Another tool with the name of a client tool would be treated as the client's.
    const isHooked = (name: string): boolean => names.isHooked(name) || ofClient.has(name);
    const processors = await processorsOf(rest, { ...names, isHooked });
    const hooks = checkedToolHooks([rest.hooks, agent['getConfiguredToolHooks']?.()], names, ofClient);
    const { call, options, end } = begin(all, resumed);
    const { stopWhen, maxSteps, modelSettings } = rest;
    const steps = stopWhen === undefined && maxSteps === undefined ? [fiveSteps] : [stopWhen ?? []].flat();
    const amended = {
      // Mastra loses one of two calls that are suspended at the same time.
      ...(asks && { toolCallConcurrency: 1 }),
      ...rest,
      ...processors,
      hooks,
      ...options,
      abortSignal: AbortSignal.any([call.signal, ...(rest.abortSignal ? [rest.abortSignal] : [])]),
      stopWhen: [...steps, () => call.finishing],
      // A retry of Mastra would be another model step. Hooks retry in `around`.
      modelSettings: { maxRetries: 0, ...modelSettings },
    };
    return { call, options: amended, end };
  };
  const whole = async (method: string, first: unknown, { options, end }: Begun): Promise<unknown> => {
    let result: unknown;
    try {
      result = await agent[method]?.(first, options);
    } catch (thrown) {
      const reason = await end(thrown);
      throw reason instanceof RunAborted ? reason : thrown;
    }
    const reason = await end();
    if (reason instanceof HooklineError) throw reason;
    return result;
  };
  const streamed = async (method: string, first: unknown, begun: Begun): Promise<unknown> => {
    try {
      return watchedStream(await agent[method]?.(first, { ...begun.options, ...endings(begun) }), begun);
    } catch (thrown) {
      await begun.end(thrown);
      throw thrown;
    }
  };
  const generate = async (messages: unknown, given?: AgentOptions) => whole('generate', messages, await amend(given));
  const stream = async (messages: unknown, given?: AgentOptions) => streamed('stream', messages, await amend(given));
  const resumeGenerate = async (data: unknown, given: AgentOptions) =>
    whole('resumeGenerate', data, await amend(given, { data }));
  const resumeStream = async (data: unknown, given: AgentOptions) =>
    streamed('resumeStream', data, await amend(given, { data }));
  const no = ({ reason }: AgentOptions): object => ({ approved: false, ...(reason !== undefined && { reason }) });
  const own = {
    generate,
    stream,
    resumeGenerate,
    resumeStream,
    approveToolCall: (options: AgentOptions) => resumeStream({ approved: true }, options),
    approveToolCallGenerate: (options: AgentOptions) => resumeGenerate({ approved: true }, options),
    declineToolCall: (options: AgentOptions) => resumeStream(no(options), options),
    declineToolCallGenerate: (options: AgentOptions) => resumeGenerate(no(options), options),
    ...Object.fromEntries(
      PAST.map((name) => [name, () => Promise.reject(refused(`${name} has no hooks; use generate or stream`))]),
    ),
  };
  return overlaid(given, own, { isBound: true });
}

/** Other methods that run an agent. */
const PAST = ['generateLegacy', 'streamLegacy', 'network', 'streamUntilIdle', 'resumeStreamUntilIdle'];

const fiveSteps = ({ steps }: { readonly steps: readonly unknown[] }): boolean => steps.length >= 5;

/** Merges the options of an invocation over those of the agent, as Mastra does: `undefined` does not override. */
function merged(defaults: AgentOptions, invoked: AgentOptions): AgentOptions {
  const modelSettings = { ...defaults.modelSettings, ...invoked.modelSettings };
  return { ...defaults, ...withoutUndefined(invoked), modelSettings };
}

/** Returns the answer to the suspended call. Data that is not an approval is for the tool's own suspension. */
export function answersOf(toolCallId: string | undefined, data: unknown): Answers {
  const { approved, reason, input } = (data ?? {}) as { readonly [field: string]: unknown };
  const edits = isObject(input);
  // An invalid edit must not approve the unedited call.
  const understood = typeof approved === 'boolean' && (input === undefined || edits);
  if (toolCallId === undefined || !understood) return {};
  const optionalReason = typeof reason === 'string' && { reason };
  return { [toolCallId]: { approved, ...optionalReason, ...(edits && { input: input as JsonObject }) } };
}
