import { HooklineError } from '../../../errors.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../../../loops/loop-run.ts';
import { RunAborted } from '../../../loops/run-aborted.ts';
import type { HostCall } from '../loop/host-call.ts';
import type { AgentOptions, MastraAgent } from './host-mastra.ts';

type Answers = Readonly<Record<string, Omit<HostAnswer, 'held'>>>;
/** A run that has begun: what the agent is given for it, and its end, which gives why it was to stop, if it was. */
export interface Begun {
  readonly call: HostCall;
  readonly options: AgentOptions;
  end(error?: unknown): Promise<unknown>;
}

type Begin = (options: AgentOptions, resumeData?: unknown) => Begun;
// biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
type Agent = { readonly [method: string]: (...args: any[]) => any };

interface Hooks {
  readonly isKnown: () => boolean;
  readonly asks: boolean;
  /** Whether a tool of that name runs through the hooks. */
  readonly isHooked: (tool: string) => boolean;
  readonly begin: Begin;
}

/** The agent, whose invocations are runs. What would go past them is refused. */
export function hookedMethods<A extends MastraAgent>(given: A, { isKnown, asks, isHooked, begin }: Hooks): A {
  const agent = given as unknown as Agent;
  const amend = async (given: AgentOptions = {}, resumeData?: unknown): Promise<Begun> => {
    // The agent asks for its model with a context, which is how its class is known.
    if (!isKnown()) await agent['getModel']?.();
    const { requestContext } = given;
    const defaults = ((await agent['getDefaultOptions']?.({ requestContext })) ?? {}) as AgentOptions;
    for (const options of [defaults, given]) check(options, isHooked);
    const { hookline: _, ...rest } = given;
    const { call, options, end } = begin(given, resumeData);
    const { stopWhen, maxSteps, modelSettings } = { ...defaults, ...rest };
    const steps = stopWhen === undefined && maxSteps === undefined ? [fiveSteps] : [stopWhen ?? []].flat();
    const amended = {
      // Mastra loses one of two calls that wait at once.
      ...(asks && defaults['toolCallConcurrency'] === undefined && { toolCallConcurrency: 1 }),
      ...rest,
      ...options,
      abortSignal: AbortSignal.any([call.signal, ...(rest.abortSignal ? [rest.abortSignal] : [])]),
      stopWhen: [...steps, () => call.finishing],
      // A retry of the host's would be a further reasoning: hooks retry, with `around`.
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
  const streamed = async (method: string, first: unknown, { options, end }: Begun): Promise<unknown> => {
    try {
      return watched(await agent[method]?.(first, { ...options, ...endings(end, options) }), end);
    } catch (thrown) {
      await end(thrown);
      throw thrown;
    }
  };
  const generate = async (messages: unknown, given?: AgentOptions) => whole('generate', messages, await amend(given));
  const stream = async (messages: unknown, given?: AgentOptions) => streamed('stream', messages, await amend(given));
  const resumeGenerate = async (data: unknown, given: AgentOptions) =>
    whole('resumeGenerate', data, await amend(given, data));
  const resumeStream = async (data: unknown, given: AgentOptions) =>
    streamed('resumeStream', data, await amend(given, data));
  const no = ({ reason }: AgentOptions): object => ({ approved: false, ...(reason !== undefined && { reason }) });
  const own: { readonly [name: PropertyKey]: unknown } = {
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
  return new Proxy(given, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      // Its methods know what is private to it.
      return typeof value === 'function' && name !== 'constructor' ? value.bind(target) : value;
    },
  });
}

/** Refuses what Mastra would take in the place of what has hooks. */
function check({ toolsets, model, prepareStep, clientTools }: AgentOptions, isHooked: Hooks['isHooked']): void {
  if (toolsets !== undefined)
    throw refused(
      'toolsets of an invocation, or of defaultOptions, run past the hooks; give the tools to hookedMastra',
    );
  if (model !== undefined)
    throw refused('a model of one invocation, or of defaultOptions, is asked past the hooks; give it to hookedMastra');
  if (prepareStep !== undefined)
    throw refused('prepareStep may give a step a model and tools past the hooks; use a hook of preReasoning instead');
  const past = Object.keys(clientTools ?? {}).find(isHooked);
  if (past !== undefined)
    throw refused(
      `the client tool "${past}" has the name of a tool with hooks, and would run past them; name it otherwise`,
    );
}

/** Other ways to ask an agent. */
const PAST = ['generateLegacy', 'streamLegacy', 'network', 'streamUntilIdle', 'resumeStreamUntilIdle'];

const fiveSteps = ({ steps }: { readonly steps: readonly unknown[] }): boolean => steps.length >= 5;

type Callback = (event: { readonly error?: unknown }) => unknown;

/** The callbacks by which Mastra tells how a stream has ended, before those of the user. */
function endings(end: Begun['end'], given: AgentOptions): { readonly [callback: string]: Callback } {
  const before =
    (name: string): Callback =>
    async (event) => {
      await end(name === 'onError' ? event.error : undefined);
      return (given[name] as Callback | undefined)?.(event);
    };
  return Object.fromEntries(['onFinish', 'onAbort', 'onError'].map((name) => [name, before(name)]));
}

/** What a stream gives, which fails where a hook has aborted: Mastra takes that for an end, and tells nobody of runs that wait. */
function watched(output: object, end: Begun['end']): object {
  const conclude = async (): Promise<void> => {
    const reason = await end();
    if (reason instanceof RunAborted) throw reason;
  };
  const ending = (source: ReadableStream): ReadableStream =>
    source.pipeThrough(new TransformStream({ flush: conclude }));
  const after = async <T>(promise: Promise<T>): Promise<T> => {
    const value = await promise;
    await conclude();
    return value;
  };
  return new Proxy(output, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'fullStream' || name === 'textStream') return ending(value as ReadableStream);
      if (name === 'text') return after(value as Promise<string>);
      if (typeof value !== 'function' || name === 'constructor') return value;
      if (name !== 'getFullOutput' && name !== 'consumeStream') return value.bind(target);
      return (...args: unknown[]) => after(value.apply(target, args));
    },
  });
}

/** What somebody has said to the call that waits; what is no answer is one to a question of the tool's own. */
export function answersOf(toolCallId: string | undefined, data: unknown): Answers {
  const { approved, reason, input } = (data ?? {}) as { readonly [member: string]: unknown };
  if (toolCallId === undefined || typeof approved !== 'boolean') return {};
  const edits = typeof input === 'object' && input !== null && !Array.isArray(input);
  const told = typeof reason === 'string' && { reason };
  return { [toolCallId]: { approved, ...told, ...(edits && { input: input as JsonObject }) } };
}

function refused(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookedAgent(agent): ${why}.`);
}
