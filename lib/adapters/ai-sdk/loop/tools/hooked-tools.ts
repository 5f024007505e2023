import { messageOf } from '../../../../errors/describe-thrown.ts';
import type { PostActing } from '../../../../events/post-acting.ts';
import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { LoopCall } from '../../../../loops/loop-run.ts';
import type { RawResult } from '../../../../loops/raw-result.ts';
import { relay } from '../../../../loops/relay.ts';
import { describeTool, type Tool } from '../../../../pipeline/define/tool.ts';
import { type HostAi, type HostTool, type HostTools, type ToolCallOptions, versionOf } from '../host-ai.ts';
import type { HostCall } from '../host-call.ts';
import { type CallsUnderWay, createCalls, toTool } from './own-tool.ts';

/** The tools of a call, and the evaluation of its calls before they are executed. */
export interface HookedTools {
  readonly tools: HostTools;
  judge(name: string, input: unknown, options: ToolCallOptions): Promise<LoopCall>;
  forget(toolCallId: string): void;
  /** Returns true if calls of the tool go through the hooks. Tools that a provider runs do not. */
  has(name: string): boolean;
}

/** Returns the tools of a call, including those of hooks. Each call goes through the hooks, and an approver can suspend it. */
export function hookedTools(ai: HostAi, call: HostCall, tools: HostTools, brought: readonly Tool[]): HookedTools {
  const calls = createCalls();
  const judge: HookedTools['judge'] = async (name, input, options) => {
    calls.begin(name, input, options);
    const { toolCallId: id, messages = [] } = options;
    const toolCall = { id, name, input: input as JsonObject };
    const judged = await call.judge(toolCall, messages, ({ content }) => calls.report(id, content));
    calls.keep(id, { judged, json: JSON.stringify(toolCall) });
    return judged;
  };
  const forget: HookedTools['forget'] = (id) => {
    call.forget(id);
    calls.forget(id);
  };
  const hook = (name: string, tool: HostTool): HostTool => hookTool({ ai, call, calls, judge, forget }, name, tool);
  // A provider's tool with an `execute` runs here, like any other.
  const own = Object.entries(tools).filter(
    ([, { type, execute }]) => execute !== undefined || [undefined, 'function', 'dynamic'].includes(type),
  );
  call.tools = own.map(([name, tool]) => toTool(ai, name, tool, calls));
  const hooked = own.filter(([, tool]) => tool.execute).map(([name, tool]) => [name, hook(name, tool)] as const);
  const further = brought.map((tool) => {
    const { name, description, inputSchema } = describeTool(tool);
    return [name, hook(name, { description, inputSchema: ai.jsonSchema(inputSchema as never) })] as const;
  });
  const names = new Set([...own, ...further].map(([name]) => name));
  return {
    tools: { ...tools, ...Object.fromEntries([...hooked, ...further]) },
    judge,
    forget,
    has: (name) => names.has(name),
  };
}

interface Hooking extends Pick<HookedTools, 'judge' | 'forget'> {
  readonly ai: HostAi;
  readonly call: HostCall;
  readonly calls: CallsUnderWay;
}

function hookTool({ ai, call, calls, judge, forget }: Hooking, name: string, tool: HostTool): HostTool {
  const finish = async (judged: LoopCall, { toolCallId: id }: ToolCallOptions): Promise<unknown> => {
    if (judged.state === 'suspended')
      throw new Error(`Not run: ${judged.pending?.call.prompt ?? 'the call needs approval'}`);
    try {
      return outputOf(await judged.execute(), calls.resultOf(id), calls.failureOf(id));
    } finally {
      forget(id);
    }
  };
  const run = (input: unknown, options: ToolCallOptions): Promise<unknown> => {
    const { toolCallId: id } = options;
    const known = calls.keptOf(id);
    if (known?.json !== JSON.stringify({ id, name, input }))
      return judge(name, input, options).then((judged) => finish(judged, options));
    // Called in the same tick: the return value of a plain function shows if it reports progress.
    calls.begin(name, input, options);
    return finish(known.judged, options);
  };
  const asks = async (input: unknown, options: ToolCallOptions): Promise<boolean> => {
    const { needsApproval } = tool;
    const own = Boolean(typeof needsApproval === 'function' ? await needsApproval(input, options) : needsApproval);
    const { toolCallId: id } = options;
    const answered = call.answerOf(id) !== undefined;
    const { state, execute } = await judge(name, input, options);
    // A denied call returns its denial when it is executed, so it needs no approval.
    const denied = state === 'over' && (await execute())?.outcome === 'denied';
    if (!answered) return state === 'suspended' || (own && !denied);
    // Version 6 checks again when it resumes. Without a request for approval, it would treat a denial as an approval.
    const asked = own || denied || state === 'suspended' || call.hasAsked(id);
    if (!asked) forget(id);
    return asked;
  };
  const streams = tool.execute?.constructor.name === 'AsyncGeneratorFunction';
  const execute = (input: unknown, options: ToolCallOptions): unknown => {
    const { toolCallId: id } = options;
    if (streams) return progress(calls, id, () => run(input, options));
    const output = run(input, options);
    return calls.isStreaming(id) ? progress(calls, id, () => output) : output;
  };
  return {
    ...tool,
    execute,
    ...(versionOf(ai) === 6 && { needsApproval: asks }),
  };
}

/** Runs a tool that reports progress. Yields settled progress, and last the output, which the SDK expects there. */
async function* progress(
  calls: CallsUnderWay,
  toolCallId: string,
  run: () => Promise<unknown>,
): AsyncGenerator<unknown> {
  let shown: unknown = calls;
  const output = yield* relay<unknown, unknown>((report) => {
    calls.listen(toolCallId, (value) => {
      shown = value;
      report(value);
    });
    return run();
  });
  // The last value is the output. If it were yielded twice, the SDK would show it as progress first.
  if (output !== shown) yield output;
}

/** Returns the outcome of a call in the form of the SDK's tools: a value, or an error whose message the model receives. */
function outputOf(
  post: PostActing | undefined,
  returned: RawResult | undefined,
  failure: { readonly thrown: unknown } | undefined,
): unknown {
  if (!post) throw new Error('Not run: a sub-agent has a pending call.');
  const { outcome, result } = post;
  if (result.isError) throw failure && isReported(post, failure.thrown) ? failure.thrown : new Error(result.content);
  const raw = outcome === 'executed' ? returned : undefined;
  return raw ? raw.restore(result) : result.content;
}

/** Returns true if the model reads the thrown error exactly as hooks saw and settled it. */
function isReported({ outcome, toolCall, result }: PostActing, thrown: unknown): boolean {
  const message = messageOf(thrown);
  const left = outcome === 'failed' && result.content === `Tool "${toolCall.name}" failed: ${message}`;
  return left && readsAs(thrown, message);
}

/** The SDK reads an Error by its message or `toString`, a string unchanged, and other values as JSON. */
function readsAs(thrown: unknown, message: string): boolean {
  try {
    if (!(thrown instanceof Error)) return (typeof thrown === 'string' ? thrown : JSON.stringify(thrown)) === message;
    return thrown.message === message && thrown.toString() === Error.prototype.toString.call(thrown);
  } catch {
    return false;
  }
}
