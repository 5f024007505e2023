import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { LoopCall } from '../../../../loops/loop-run.ts';
import { describeTool, type Tool } from '../../../../pipeline/define/tool.ts';
import { type HostAi, type HostTool, type HostTools, type ToolCallOptions, versionOf } from '../host-ai.ts';
import type { HostCall } from '../host-call.ts';
import { outputOf } from './output-of.ts';
import { type CallsUnderWay, createCalls, toTool } from './own-tool.ts';
import { progress } from './progress.ts';

/** The tools of a call, and how one of its calls is judged before it is executed. */
export interface HookedTools {
  readonly tools: HostTools;
  judge(name: string, input: unknown, options: ToolCallOptions): Promise<LoopCall>;
  /** The call is over. */
  forget(toolCallId: string): void;
  /** Whether calls of that tool are for hooks: what a provider runs by itself is not. */
  has(name: string): boolean;
}

/** The tools of a call, those that hooks bring included: each runs through the hooks, and asks where an approver suspends. */
export function hookedTools(ai: HostAi, call: HostCall, tools: HostTools, brought: readonly Tool[]): HookedTools {
  const calls = createCalls();
  const judge: HookedTools['judge'] = async (name, input, options) => {
    calls.begin(name, input, options);
    const { toolCallId: id, messages = [] } = options;
    const said = { id, name, input: input as JsonObject };
    const judged = await call.judge(said, messages, ({ content }) => calls.report(id, content));
    calls.keep(id, { judged, said: JSON.stringify(said) });
    return judged;
  };
  const forget: HookedTools['forget'] = (id) => {
    call.forget(id);
    calls.forget(id);
  };
  const hook = (name: string, tool: HostTool): HostTool => hookTool({ ai, call, calls, judge, forget }, name, tool);
  // A provider's own tool that has an `execute` is run here, like any other.
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
      throw new Error(`Not run: ${judged.held?.call.prompt ?? 'it waits for an answer'}`);
    try {
      return outputOf(await judged.execute(), calls.resultOf(id), calls.failureOf(id));
    } finally {
      forget(id);
    }
  };
  const run = (input: unknown, options: ToolCallOptions): Promise<unknown> => {
    const { toolCallId: id } = options;
    const known = calls.keptOf(id);
    if (known?.said !== JSON.stringify({ id, name, input }))
      return judge(name, input, options).then((judged) => finish(judged, options));
    // Not a tick later: what a plain function returns tells whether it reports progress.
    calls.begin(name, input, options);
    return finish(known.judged, options);
  };
  const asks = async (input: unknown, options: ToolCallOptions): Promise<boolean> => {
    const { needsApproval } = tool;
    const own = Boolean(typeof needsApproval === 'function' ? await needsApproval(input, options) : needsApproval);
    const { toolCallId: id } = options;
    const answered = call.answerOf(id) !== undefined;
    const { state, execute } = await judge(name, input, options);
    // What hooks have denied says so when it is executed: nobody has to be asked about it.
    const denied = state === 'over' && (await execute())?.outcome === 'denied';
    if (!answered) return state === 'suspended' || (own && !denied);
    // Version 6 asks again when it resumes, and takes a no for a yes to a question that nobody has asked.
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
