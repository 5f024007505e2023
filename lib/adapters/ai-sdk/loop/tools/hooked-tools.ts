import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { LoopCall } from '../../../../loops/loop-run.ts';
import { describeTool, type Tool } from '../../../../pipeline/define/tool.ts';
import { type HostAi, type HostTool, type HostTools, type ToolCallOptions, versionOf } from '../host-ai.ts';
import type { HostCall } from '../host-call.ts';
import { outputOf } from './output-of.ts';
import { type CallsUnderWay, createCalls, toTool } from './own-tool.ts';
import { progress } from './progress.ts';

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
