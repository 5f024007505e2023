import type { JsonObject } from '../../events/values/json-value.ts';
import { type RawResult, rawResult } from '../../loops/raw-result.ts';
import type { Tool, ToolContext } from '../../pipeline/define/tool.ts';
import { describeTool } from '../../pipeline/define/tool.ts';
import { isStandardSchema, type StandardSchema } from '../../schemas/input-schema.ts';
import type { HostConfig, HostLangChain, HostTool } from './host-langchain.ts';
import { inside, insideConfig } from './inside-tool.ts';
import { outputOf, type RawOutput } from './tool-output.ts';

/** One call under way: what the host gave it, where its progress goes, and what came of it. */
export interface CallUnderWay {
  /** What the host gives the tool; there once it is executed. */
  config?: HostConfig;
  /** What the tool has reported last, and where it belongs. */
  reported?: { readonly raw: RawResult; readonly show: (value: unknown) => void };
  /** What the tool gave, where it ran to its end. */
  output?: RawOutput;
  /** What the tool threw to stop the host's graph: its own question, say. */
  stop?: unknown;
}

export type CallsUnderWay = Map<string, CallUnderWay>;

const told = new WeakMap<object, JsonObject>();

/** What models are told of a tool's input; made once for each tool. */
export function jsonSchemaOf(langchain: HostLangChain, tool: HostTool): JsonObject {
  const known = told.get(tool);
  if (known) return known;
  const { schema } = tool;
  // A schema of any library tells LangChain what it is in JSON, as one of structured answers does.
  const json = isStandardSchema(schema) ? langchain.ToolStrategy.fromSchema(schema).tool.function.parameters : schema;
  const made: JsonObject = { ...JSON.parse(JSON.stringify(json ?? {})), type: 'object' };
  told.set(tool, made);
  return made;
}

/** A tool of the host as the run knows it. Its input is parsed once, here, and its own function is called. */
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

/** A question to be asked, or a graph that is to rest. A command for the graph around it is for no eyes but the hooks', as one that a tool gives. */
function stopsGraph(thrown: unknown): boolean {
  const { is_bubble_up: stops, command } = (thrown ?? {}) as {
    readonly is_bubble_up?: unknown;
    readonly command?: unknown;
  };
  return stops === true && command === undefined;
}

/** LangChain's tools of one text wrap it in an object for the model, and take it out again. */
function takesTextOnly(schema: StandardSchema): boolean {
  const told = schema['~standard'].validate({ input: 'x' });
  return 'value' in told && told.value === 'x';
}

/** Calls the tool's own function where nothing of the host hears what goes on in it. */
async function run(
  langchain: HostLangChain,
  tool: HostTool,
  input: unknown,
  call: CallUnderWay,
  { emit, signal, toolCall }: ToolContext,
): Promise<unknown> {
  const { config = {} } = call;
  let told = Promise.resolve();
  const report = (value: unknown, show: (value: unknown) => void): Promise<void> => {
    told = told.then(async () => {
      call.reported = { raw: rawResult(value, tool.name), show };
      await emit(call.reported.raw.result.content);
    });
    return told;
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
  await told;
  return result;
}

/** Progress that the tool yields goes where the call's listener wants it. */
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

/** A tool that a hook brings, as LangChain offers it to the model; the run executes it. */
export function toHostTool(langchain: HostLangChain, tool: Tool): HostTool {
  const { name, description, inputSchema } = describeTool(tool);
  const refuse = (): never => {
    throw new Error(`"${name}" is a tool of hooks; it runs in a run of theirs only.`);
  };
  return langchain.tool(refuse, { name, description, schema: inputSchema });
}
