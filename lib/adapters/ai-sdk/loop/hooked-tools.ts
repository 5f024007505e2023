import type { JsonObject } from '../../../events/values/json-value.ts';
import type { LoopCall } from '../../../loops/loop-run.ts';
import { describeTool, type Tool } from '../../../pipeline/define/tool.ts';
import { type HostAi, type HostTool, type HostTools, type ToolCallOptions, versionOf } from './host-ai.ts';
import type { HostCall } from './host-call.ts';
import { outputOf } from './output-of.ts';
import { type CallsUnderWay, createCalls, toTool } from './own-tool.ts';

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
  const judge: HookedTools['judge'] = (name, input, options) => {
    calls.begin(name, input, options);
    const { toolCallId: id, messages = [] } = options;
    return call.judge({ id, name, input: input as JsonObject }, messages, ({ content }) => calls.report(id, content));
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
  const run = async (input: unknown, options: ToolCallOptions): Promise<unknown> => {
    const judged = await judge(name, input, options);
    if (judged.state === 'suspended')
      throw new Error(`Not run: ${judged.held?.call.prompt ?? 'it waits for an answer'}`);
    const { toolCallId: id } = options;
    try {
      return outputOf(await judged.execute(), calls.resultOf(id), calls.failureOf(id));
    } finally {
      forget(id);
    }
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
  return {
    ...tool,
    execute: streams ? (input, options) => progress(calls, run, input, options) : run,
    ...(versionOf(ai) === 6 && { needsApproval: asks }),
  };
}

/** A tool that reports progress: what leaves the hooks, and last what it came to, which the SDK takes for its output. */
async function* progress(
  calls: CallsUnderWay,
  run: (input: unknown, options: ToolCallOptions) => Promise<unknown>,
  input: unknown,
  options: ToolCallOptions,
): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = (): void => {};
  let over = false;
  calls.listen(options.toolCallId, (value) => {
    waiting.push(value);
    wake();
  });
  const output = run(input, options).finally(() => {
    over = true;
    wake();
  });
  output.catch(() => {});
  let shown: unknown = waiting;
  for (;;) {
    while (waiting.length > 0) {
      shown = waiting.shift();
      yield shown;
    }
    if (over) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  const value = await output;
  // The last value is the output: given twice, it would be shown as progress first.
  if (value !== shown) yield value;
}
