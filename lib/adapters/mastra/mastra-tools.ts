import { messageOf } from '../../errors/describe-thrown.ts';
import { askedOf } from '../../events/decisions/ask.ts';
import { isAsyncIterable } from '../../events/values/is-async.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { relay } from '../../loops/relay.ts';
import { describeTool, type Tool } from '../../pipeline/define/tool.ts';
import type { HostAi, HostTool, HostTools, ToolCallOptions } from '../ai-sdk/loop/host-ai.ts';
import type { HostCall } from '../ai-sdk/loop/host-call.ts';
import { type HookedTools, hookedTools } from '../ai-sdk/loop/tools/hooked-tools.ts';
import type { MastraTool, MastraTools, ToolContext } from './host-mastra.ts';
import { withoutValues } from './without-values.ts';

/** One invocation of an agent. */
export interface Running {
  readonly call: HostCall;
  readonly tools: HookedTools;
  /** Calls whose answer came with the invocation. */
  readonly answered: ReadonlySet<string>;
  /** Names of client tools. */
  readonly ofClient: ReadonlySet<string>;
}

interface Options extends ToolCallOptions {
  readonly context: ToolContext;
  readonly given: unknown;
  /** The evaluated input, with labels instead of sealed values. */
  readonly shown?: unknown;
}

/** Mastra validates the inputs of its tools itself, when they run. */
const ai = {
  asSchema: () => ({ jsonSchema: {} }),
  jsonSchema: (schema: unknown) => schema,
} as unknown as HostAi;

/** The symbol by which Mastra recognizes its own tools. Other tools receive less context. */
const MARKER = Symbol.for('mastra.core.tool.Tool');

/** Returns the tools of one invocation, which run through the hooks of its call. */
export function toolsOf(call: HostCall, tools: MastraTools, brought: readonly Tool[]): HookedTools {
  const own = Object.entries(tools).map(([name, tool]) => [name, toHostTool(tool)] as const);
  return hookedTools(ai, call, Object.fromEntries(own) as HostTools, brought);
}

/** Converts a tool to a generator that yields progress and then the result. */
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

/** Returns a stream like Mastra's, whose values go to `report`. */
function writerTo(report: (value: unknown) => void): WritableStream {
  const write = async (value: unknown): Promise<void> => report(value);
  return Object.assign(new WritableStream({ write }), { write, custom: write });
}

/** Returns Mastra's agent context without the functions that would write to the stream past the hooks. */
function withoutWays(agent: ToolContext['agent']): object {
  const { outputWriter: _, writableStream: __, ...rest } = agent ?? {};
  return rest;
}

/** Returns the tools for the agent. Each finds the invocation that it runs in. */
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
  // An answer is for one question: of an approver, of Mastra, or of the tool.
  if (answered.has(toolCallId) && !ours) tools.forget(toolCallId);
  const agent = answered.has(toolCallId) && ours ? { ...given.agent, resumeData: undefined } : given.agent;
  const context = { ...given, ...(agent && { agent }) };
  const abortSignal = given.abortSignal && { abortSignal: given.abortSignal };
  const options: Options = { toolCallId, messages, ...abortSignal, context, given: input };
  const judged = await tools.judge(name, input, options);
  if (judged.state === 'suspended' && suspend) {
    const pending = judged.pending?.call;
    const call = { name, input, ...pending?.judged, id: toolCallId };
    return suspend({ prompt: 'May it run?', ...askedOf(pending ?? {}), call });
  }
  const shown = judged.event?.toolCall.input;
  const returned = tools.tools[name]?.execute?.(input, { ...options, ...(shown && { shown }) } as Options);
  if (!isAsyncIterable<unknown>(returned)) return returned;
  let last: { readonly value: unknown } | undefined;
  for await (const value of returned) {
    if (last) await show(given, last.value as JsonValue);
    last = { value };
  }
  return last?.value;
}

/** After the caller's signal aborts, Mastra would treat a throwing tool as failed and the run as finished. */
function cancelled(thrown: unknown, { abortSignal }: ToolContext, { call }: Running): string {
  if (!abortSignal?.aborted || call.signal.aborted) throw thrown;
  return `The call was cancelled: ${messageOf(abortSignal.reason)}`;
}

/** Returns the id of the call that an approver suspended. Mastra stores it with the suspension. */
function asked(payload: unknown): string | undefined {
  const { prompt, call } = (payload ?? {}) as { readonly prompt?: unknown; readonly call?: { readonly id?: string } };
  return typeof prompt === 'string' ? call?.id : undefined;
}

/** Shows settled progress. Custom parts are sent as such. */
async function show({ writer }: ToolContext, value: JsonValue): Promise<void> {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  if (typeof type === 'string' && type.startsWith('data-')) await writer?.custom(value);
  else await writer?.write(value);
}
