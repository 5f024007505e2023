import type { JsonObject } from '../../events/values/json-value.ts';
import { type RawResult, rawResult } from '../../loops/raw-result.ts';
import type { Tool, ToolContext } from '../../pipeline/define/tool.ts';
import { describeTool } from '../../pipeline/define/tool.ts';
import { isStandardSchema, type StandardSchema } from '../../schemas/input-schema.ts';
import type { HostConfig, HostLangChain, HostTool } from './host-langchain.ts';
import { inside, insideConfig } from './inside-tool.ts';
import { outputOf, type RawOutput } from './tool-output.ts';

/** A running call: its configuration, its progress and its outcome. */
export interface CallUnderWay {
  /** The configuration from LangChain. Set when the call is executed. */
  config?: HostConfig;
  /** The latest progress of the tool, and the function that shows it. */
  reported?: { readonly raw: RawResult; readonly show: (value: unknown) => void };
  /** The output of the tool, if it completed. */
  output?: RawOutput;
  /** An error of the tool that stops LangChain's graph, such as an interrupt. */
  stop?: unknown;
}

export type CallsUnderWay = Map<string, CallUnderWay>;

const inputSchemas = new WeakMap<object, JsonObject>();

/** Returns the input schema that models receive. Created once for each tool. */
export function jsonSchemaOf(langchain: HostLangChain, tool: HostTool): JsonObject {
  const known = inputSchemas.get(tool);
  if (known) return known;
  const { schema } = tool;
  // LangChain converts schemas of any library to JSON Schema for structured output.
  const json = isStandardSchema(schema) ? langchain.ToolStrategy.fromSchema(schema).tool.function.parameters : schema;
  const made: JsonObject = { ...JSON.parse(JSON.stringify(json ?? {})), type: 'object' };
  inputSchemas.set(tool, made);
  return made;
}

/** Converts a tool of LangChain. The run validates the input once, and calls the tool's function directly. */
export function toTool(langchain: HostLangChain, tool: HostTool, calls: CallsUnderWay): Tool {
  const { name, description = '', schema } = tool;
  const jsonSchema = jsonSchemaOf(langchain, tool);
  const takesText = isStandardSchema(schema) && takesTextOnly(schema);
  return {
    name,
    description,
    inputSchema: isStandardSchema(schema) && !takesText ? schema : jsonSchema,
    jsonSchema,
    async execute(input, context) {
      const call = calls.get(context.toolCall.id) ?? {};
      const given = takesText ? ((input as JsonObject)['input'] as string) : input;
      try {
        call.output = outputOf(langchain, await run(langchain, tool, given, call, context), tool, context.toolCall.id);
      } catch (thrown) {
        if (stopsGraph(thrown)) call.stop = thrown;
        throw thrown;
      }
      return call.output.result;
    },
  };
}

/** Returns true for an interrupt, and for an error that pauses the graph. A thrown command is output of the tool, so it passes through the hooks. */
function stopsGraph(thrown: unknown): boolean {
  const { is_bubble_up: stops, command } = (thrown ?? {}) as {
    readonly is_bubble_up?: unknown;
    readonly command?: unknown;
  };
  return stops === true && command === undefined;
}

/** LangChain's tools with a single string input wrap it in an object for the model, and unwrap it. */
function takesTextOnly(schema: StandardSchema): boolean {
  const validated = schema['~standard'].validate({ input: 'x' });
  return 'value' in validated && validated.value === 'x';
}

/** Calls the tool's function without LangChain's handlers. */
async function run(
  langchain: HostLangChain,
  tool: HostTool,
  input: unknown,
  call: CallUnderWay,
  { emit, signal, toolCall }: ToolContext,
): Promise<unknown> {
  const { config = {} } = call;
  let reports = Promise.resolve();
  const report = (value: unknown, show: (value: unknown) => void): Promise<void> => {
    reports = reports.then(async () => {
      call.reported = { raw: rawResult(value, tool.name), show };
      await emit(call.reported.raw.result.content);
    });
    return reports;
  };
  const toScreen = config.writer;
  const writer = (value: unknown): void => void report(value, (settled) => toScreen?.(settled)).catch(() => {});
  const own: HostConfig = {
    ...insideConfig(config, writer),
    signal: config.signal ? AbortSignal.any([config.signal, signal]) : signal,
  };
  const result = await inside(langchain, own, async () => {
    const inner = { ...own, config: own };
    const returned = tool._call
      ? await tool._call(input, undefined, inner)
      : await tool.invoke({ ...toolCall, args: input, type: 'tool_call' }, inner);
    return isGenerator(returned) ? await drain(returned, (value) => report(value, show(call))) : returned;
  });
  await reports;
  return result;
}

/** Sends progress that the tool yields to the listener of the call. */
function show(call: CallUnderWay): (value: unknown) => void {
  return (value) => (call.config?.['onYield'] as ((value: unknown) => void) | undefined)?.(value);
}

async function drain(generator: AsyncGenerator, report: (value: unknown) => Promise<void>): Promise<unknown> {
  try {
    for (;;) {
      const { done, value } = await generator.next();
      if (done) return value;
      await report(value);
    }
  } finally {
    await generator.return?.(undefined);
  }
}

function isGenerator(value: unknown): value is AsyncGenerator {
  return typeof (value as AsyncGenerator | undefined)?.next === 'function';
}

/** Describes a tool of a hook to LangChain. The run executes it. */
export function toHostTool(langchain: HostLangChain, tool: Tool): HostTool {
  const { name, description, inputSchema } = describeTool(tool);
  const refuse = (): never => {
    throw new Error(`"${name}" is a tool of a hook; it runs only in a run with that hook.`);
  };
  return langchain.tool(refuse, { name, description, schema: inputSchema });
}
