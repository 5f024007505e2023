import { jsonObject } from '../../loops/json-object.ts';
import { type RawResult, rawResult } from '../../loops/raw-result.ts';
import { describeTool, type Tool, type ToolContext } from '../../pipeline/define/tool.ts';
import type { StandardSchema } from '../../schemas/input-schema.ts';
import { type HostTool, type HostToolContext, type HostToolResult, make } from './host-strands.ts';
import { textIn } from './messages.ts';
import type { HostStrands } from './strands-module.ts';

/** One call under way: what the host gave it, and what came of it. */
export interface CallUnderWay {
  /** What the host gives the tool; there once it is executed. */
  context?: HostToolContext;
  /** What the tool has reported last. */
  reported?: RawResult;
  /** What the tool gave, where it ran to its end. */
  result?: HostToolResult;
  /** What the tool threw to ask somebody by itself. */
  stop?: unknown;
}

export type CallsUnderWay = Map<string, CallUnderWay>;

/** A tool of the host as the run knows it. The host checks its input itself, when it runs. */
export function toTool(tool: HostTool, calls: CallsUnderWay): Tool {
  const { name, description, toolSpec } = tool;
  return {
    name,
    description,
    inputSchema: ANY,
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
      // The host's tools catch what they throw: hooks are told of a failure, and redactors see its words.
      if (result.error !== undefined) throw result.error;
      return { content: textIn(result.content), isError: result.status === 'error' };
    },
  };
}

const ANY: StandardSchema = { '~standard': { version: 1, vendor: 'strands', validate: (value) => ({ value }) } };

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

/** A tool that a hook brings, as Strands offers it to the model; the run executes it. */
export function toHostTool(strands: HostStrands, tool: Tool): object {
  const { name, description, inputSchema } = describeTool(tool);
  const callback = (): never => {
    throw new Error(`"${name}" is a tool of hooks; it runs in a run of theirs only.`);
  };
  return make(strands.FunctionTool, { name, description, inputSchema, callback });
}
