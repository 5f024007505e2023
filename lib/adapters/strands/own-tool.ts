import { type RawResult, rawResult } from '../../loops/raw-result.ts';
import { jsonObject } from '../../loops/to-tool-call.ts';
import { describeTool, type Tool, type ToolContext } from '../../pipeline/define/tool.ts';
import { anyInput } from '../../schemas/input-schema.ts';
import { type HostTool, type HostToolContext, type HostToolResult, make } from './host-strands.ts';
import { textIn } from './messages.ts';
import type { HostStrands } from './strands-module.ts';

/** A running call: its context and its outcome. */
export interface CallUnderWay {
  /** The context from Strands. Set when the call is executed. */
  context?: HostToolContext;
  reported?: RawResult;
  /** The result of the tool, if it completed. */
  result?: HostToolResult;
  /** The interrupt that the tool threw. */
  stop?: unknown;
}

export type CallsUnderWay = Map<string, CallUnderWay>;

/** Converts a tool of Strands. Strands validates the input itself, when the tool runs. */
export function toTool(tool: HostTool, calls: CallsUnderWay): Tool {
  const { name, description, toolSpec } = tool;
  return {
    name,
    description,
    inputSchema: anyInput,
    jsonSchema: { ...jsonObject(toolSpec.inputSchema), type: 'object' },
    async execute(input, context) {
      const call = calls.get(context.toolCall.id) ?? {};
      let result: HostToolResult | undefined;
      try {
        result = await run(tool, input, call, context);
      } catch (thrown) {
        if ((thrown as Error | undefined)?.name === 'InterruptError') call.stop = thrown;
        throw thrown;
      }
      if (!result) throw new Error('it did not return a result');
      call.result = result;
      // Tools of Strands catch their errors. Hooks receive the failure, and redactors see its text.
      if (result.error !== undefined) throw result.error;
      return { content: textIn(result.content), isError: result.status === 'error' };
    },
  };
}

async function run(
  tool: HostTool,
  input: unknown,
  call: CallUnderWay,
  { emit, signal, toolCall }: ToolContext,
): Promise<HostToolResult | undefined> {
  const host = call.context as HostToolContext;
  const generator = tool.stream({
    ...host,
    toolUse: { name: tool.name, toolUseId: toolCall.id, input },
    cancelSignal: AbortSignal.any([host.cancelSignal, signal]),
  });
  try {
    for (;;) {
      const { done, value } = await generator.next();
      if (done) return (value as HostToolResult | null | undefined) ?? undefined;
      call.reported = rawResult((value as { readonly data?: unknown }).data, tool.name);
      await emit(call.reported.result.content);
    }
  } finally {
    await generator.return(undefined as never);
  }
}

/** Describes a tool of a hook to Strands. The run executes it. */
export function toHostTool(strands: HostStrands, tool: Tool): object {
  const { name, description, inputSchema } = describeTool(tool);
  const callback = (): never => {
    throw new Error(`"${name}" is a tool of a hook; it runs only in a run with that hook.`);
  };
  return make(strands.FunctionTool, { name, description, inputSchema, callback });
}
