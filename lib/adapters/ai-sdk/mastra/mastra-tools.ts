import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import { relay } from '../../../loops/relay.ts';
import { describeTool, type Tool } from '../../../pipeline/define/tool.ts';
import type { HostAi, HostTool, HostTools, ToolCallOptions } from '../loop/host-ai.ts';
import type { HostCall } from '../loop/host-call.ts';
import { type HookedTools, hookedTools } from '../loop/tools/hooked-tools.ts';
import type { MastraTool, MastraTools, ToolContext } from './host-mastra.ts';
import { withoutValues } from './without-values.ts';

/** One invocation of an agent. */
export interface Running {
  readonly call: HostCall;
  readonly tools: HookedTools;
  /** Calls whose answer came with the invocation. */
  readonly answered: ReadonlySet<string>;
  /** Names of tools that the client runs. */
  readonly ofClient: ReadonlySet<string>;
}

interface Options extends ToolCallOptions {
  readonly context: ToolContext;
  /** The input that Mastra has given. */
  readonly given: unknown;
  /** The input as it was judged, with labels where values are sealed. */
  readonly shown?: unknown;
}

/** Mastra checks the inputs of its tools itself, when they run. */
const ai = {
  asSchema: () => ({ jsonSchema: {} }),
  jsonSchema: (schema: unknown) => schema,
} as unknown as HostAi;

/** What Mastra knows its own tools by: it tells others less of a call. */
const MARKER = Symbol.for('mastra.core.tool.Tool');

/** The tools of one invocation, run through the hooks of its call. */
export function toolsOf(call: HostCall, tools: MastraTools, brought: readonly Tool[]): HookedTools {
  const own = Object.entries(tools).map(([name, tool]) => [name, toHostTool(tool)] as const);
  return hookedTools(ai, call, Object.fromEntries(own) as HostTools, brought);
}

/** A tool whose progress comes as values of its own, the last of which is its result. */
function toHostTool({ description, execute }: MastraTool): HostTool {
  return {
    ...(description !== undefined && { description }),
    ...(execute && {
      async *execute(input: unknown, options: ToolCallOptions) {
        const { context, abortSignal, given, shown, ...rest } = options as Options;
        const work = relay<unknown, unknown>(async (report) =>
          execute(input, {
            ...rest,
            ...context,
            abortSignal,
            writer: writerTo(report),
            agent: withoutWays(context.agent),
          }),
        );
        const result = yield* work;
        yield JSON.stringify(input) === JSON.stringify(given) ? result : withoutValues(result, shown);
      },
    }),
  };
}

/** A stream, as Mastra's is, whose values go to `report`. */
function writerTo(report: (value: unknown) => void): WritableStream {
  const write = async (value: unknown): Promise<void> => report(value);
  return Object.assign(new WritableStream({ write }), { write, custom: write });
}

/** What Mastra gives a tool of its agent, without the ways to the stream that lead past the hooks. */
function withoutWays(agent: ToolContext['agent']): object {
  const { outputWriter: _, writableStream: __, ...rest } = agent ?? {};
  return rest;
}

/** The tools that the agent is made with: each finds the invocation that it runs in. */
export function mastraTools(
  tools: MastraTools,
  brought: readonly Tool[],
  runningOf: (context: ToolContext, name: string) => Running,
): Record<string, MastraTool> {
  const further = brought.map((tool) => {
    const { name, description, inputSchema } = describeTool(tool);
    return [name, { id: name, description, inputSchema, execute: () => undefined }] as const;
  });
  const all = [...Object.entries(tools), ...further].map(([name, tool]) => {
    if (!tool.execute) return [name, tool] as const;
    const execute = async (input: unknown, context: ToolContext): Promise<unknown> => {
      const running = runningOf(context, name);
      return run(name, input, context, running).catch((thrown: unknown) => cancelled(thrown, context, running));
    };
    return [
      name,
      Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute, [MARKER]: true }),
    ] as const;
  });
  return Object.fromEntries(all);
}

async function run(name: string, input: unknown, given: ToolContext, running: Running): Promise<unknown> {
  const { tools, answered } = running;
  const { toolCallId = globalThis.crypto.randomUUID(), messages = [], suspend } = given.agent ?? {};
  const ours = asked(given.agent?.['suspendPayload']) === toolCallId;
  // An answer is for one question: that of an approver, of Mastra, or of the tool.
  if (answered.has(toolCallId) && !ours) tools.forget(toolCallId);
  const agent = answered.has(toolCallId) && ours ? { ...given.agent, resumeData: undefined } : given.agent;
  const context = { ...given, ...(agent && { agent }) };
  const abortSignal = given.abortSignal && { abortSignal: given.abortSignal };
  const options: Options = { toolCallId, messages, ...abortSignal, context, given: input };
  const judged = await tools.judge(name, input, options);
  if (judged.state === 'suspended' && suspend) {
    const { prompt = 'May it run?', by, judged: call } = judged.held?.call ?? {};
    return suspend({ prompt, ...(by !== undefined && { by }), call: { name, input, ...call, id: toolCallId } });
  }
  const shown = judged.event?.toolCall.input;
  const returned = tools.tools[name]?.execute?.(input, { ...options, ...(shown && { shown }) } as Options);
  if (!isStream(returned)) return returned;
  let last: { readonly value: unknown } | undefined;
  for await (const value of returned) {
    if (last) await show(given, last.value as JsonValue);
    last = { value };
  }
  return last?.value;
}

/** What the caller's signal has ended: Mastra takes a tool that throws then for one that has failed, and the run for finished. */
function cancelled(thrown: unknown, { abortSignal }: ToolContext, { call }: Running): string {
  if (!abortSignal?.aborted || call.signal.aborted) throw thrown;
  return `The call was cancelled: ${messageOf(abortSignal.reason)}`;
}

/** The call that an approver has asked about; Mastra keeps it with the question. */
function asked(payload: unknown): string | undefined {
  const { prompt, call } = (payload ?? {}) as { readonly prompt?: unknown; readonly call?: { readonly id?: string } };
  return typeof prompt === 'string' ? call?.id : undefined;
}

/** Progress that has left the hooks; parts of the user's own go as such. */
async function show({ writer }: ToolContext, value: JsonValue): Promise<void> {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  if (typeof type === 'string' && type.startsWith('data-')) await writer?.custom(value);
  else await writer?.write(value);
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
