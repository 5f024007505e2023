import { messageOf } from '../../../../errors/describe-thrown.ts';
import { canonicalJson } from '../../../../events/values/canonical-json.ts';
import { isAsyncIterable } from '../../../../events/values/is-async.ts';
import type { JsonValue } from '../../../../events/values/json-value.ts';
import type { LoopCall } from '../../../../loops/loop-run.ts';
import { type RawResult, rawResult } from '../../../../loops/raw-result.ts';
import type { Tool, ToolContext } from '../../../../pipeline/define/tool.ts';
import type { StandardSchema } from '../../../../schemas/input-schema.ts';
import type { HostAi, HostSchema, HostTool, HostValidation, ToolCallOptions } from '../host-ai.ts';

/** The running calls of one run: the options that the host passed, and the values that the tools returned. */
export interface CallsUnderWay {
  begin(tool: string, input: unknown, options: ToolCallOptions): void;
  /** Returns the input of a call of `tool` that equals `value`, as the host parsed it. */
  inputLike(tool: string, value: unknown): { readonly input: unknown } | undefined;
  optionsOf(id: string): ToolCallOptions;
  /** Stores an evaluated call with its input at that time. */
  keep(id: string, kept: KeptCall): void;
  keptOf(id: string): KeptCall | undefined;
  /** Records that the tool returns an iterator of values. */
  stream(id: string): void;
  isStreaming(id: string): boolean;
  finish(id: string, raw: RawResult): void;
  resultOf(id: string): RawResult | undefined;
  /** Records an error that the tool threw. */
  fail(id: string, thrown: unknown): void;
  /** Returns the last error that the tool threw. */
  failureOf(id: string): { readonly thrown: unknown } | undefined;
  /** Records progress of the tool as a value. Returns it as text. */
  progress(id: string, value: unknown, tool: string): string;
  /** Reports settled progress. */
  report(id: string, content: string): void;
  listen(id: string, listener: (value: unknown) => void): void;
  forget(id: string): void;
}

export interface KeptCall {
  readonly judged: LoopCall;
  readonly json: string;
}

interface UnderWay {
  begun?: { readonly tool: string; readonly input: unknown; readonly options: ToolCallOptions };
  kept?: KeptCall;
  streams?: boolean;
  result?: RawResult;
  failure?: { readonly thrown: unknown };
  listener?: (value: unknown) => void;
  /** The latest reported value. */
  reported?: RawResult;
}

export function createCalls(): CallsUnderWay {
  const calls = new Map<string, UnderWay>();
  const of = (id: string): UnderWay => {
    const call = calls.get(id) ?? {};
    calls.set(id, call);
    return call;
  };
  return {
    begin(tool, input, options) {
      of(options.toolCallId).begun = { tool, input, options };
    },
    inputLike(tool, value) {
      for (const { begun } of calls.values())
        if (begun?.tool === tool && sameJson(begun.input, value)) return { input: begun.input };
      return undefined;
    },
    optionsOf: (id) => calls.get(id)?.begun?.options ?? { toolCallId: id },
    keep(id, kept) {
      of(id).kept = kept;
    },
    keptOf: (id) => calls.get(id)?.kept,
    stream(id) {
      of(id).streams = true;
    },
    isStreaming: (id) => calls.get(id)?.streams ?? false,
    finish(id, raw) {
      of(id).result = raw;
    },
    resultOf: (id) => calls.get(id)?.result,
    fail(id, thrown) {
      of(id).failure = { thrown };
    },
    failureOf: (id) => calls.get(id)?.failure,
    progress(id, value, tool) {
      const raw = rawResult(value, tool);
      of(id).reported = raw;
      return raw.result.content;
    },
    report(id, content) {
      if (content === '') return;
      const { reported, listener } = of(id);
      listener?.(reported ? reported.restore({ content, isError: false }) : content);
    },
    listen(id, listener) {
      of(id).listener = listener;
    },
    forget: (id) => void calls.delete(id),
  };
}

/** Converts a tool of the SDK. The SDK has already parsed the input, so it is parsed again only if a hook changed it. */
export function toTool(ai: HostAi, name: string, tool: HostTool, calls: CallsUnderWay): Tool {
  const schema = ai.asSchema((tool.inputSchema ?? {}) as never);
  const inputSchema: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'ai-sdk',
      validate(value) {
        const known = calls.inputLike(name, value);
        return known ? { value: known.input } : validated(schema, value);
      },
    },
  };
  return {
    name,
    description: tool.description ?? '',
    inputSchema,
    jsonSchema: JSON.parse(JSON.stringify(schema.jsonSchema ?? {})),
    async execute(input, context) {
      const { id } = context.toolCall;
      const returned = await run(tool, input, calls, context).catch((thrown: unknown) => {
        calls.fail(id, thrown);
        throw thrown;
      });
      const raw = rawResult(returned, name);
      calls.finish(id, raw);
      return raw.result;
    },
  };
}

async function validated(
  schema: HostSchema,
  value: unknown,
): Promise<Awaited<ReturnType<StandardSchema['~standard']['validate']>>> {
  const validated: HostValidation = (await schema.validate?.(value)) ?? { success: true, value };
  return validated.success ? { value: validated.value } : { issues: [{ message: messageOf(validated.error) }] };
}

async function run(tool: HostTool, input: unknown, calls: CallsUnderWay, context: ToolContext): Promise<unknown> {
  const { id, name } = context.toolCall;
  const options = calls.optionsOf(id);
  const { abortSignal: host, ...rest } = options;
  const given = tool.execute?.(input, {
    ...rest,
    // Created on first use: most tools do not read the signal, and it costs as much as the rest of a call.
    get abortSignal() {
      return host ? AbortSignal.any([host, context.signal]) : context.signal;
    },
  });
  if (isAsyncIterable<unknown>(given)) calls.stream(id);
  const returned = await given;
  if (!isAsyncIterable<unknown>(returned)) return returned;
  let last: unknown;
  let values = 0;
  for await (const value of returned) {
    // The last value is the result, not progress. Hooks of results must see it first.
    if (values > 0) await context.emit(calls.progress(id, last, name));
    values += 1;
    last = value;
  }
  return last;
}

function sameJson(a: unknown, b: unknown): boolean {
  try {
    return canonicalJson(a as JsonValue) === canonicalJson(b as JsonValue);
  } catch {
    return false;
  }
}
