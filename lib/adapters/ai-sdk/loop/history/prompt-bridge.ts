import type { Message } from '../../../../events/parts/message.ts';
import type { ModelOptions } from '../../../../events/parts/model-options.ts';
import type { ToolDescription } from '../../../../events/parts/tool-description.ts';
import type { JsonObject } from '../../../../events/values/json-value.ts';
import { withoutUndefined } from '../../../../events/values/without-undefined.ts';
import { keepKnown } from '../../../../loops/keep-known.ts';
import { type BegunWith, keepPrefix } from '../../../../loops/keep-prefix.ts';
import { sourcesOf } from '../../../../loops/sources-of.ts';
import { jsonObject } from '../../../../loops/to-tool-call.ts';
import { warnOtherModel } from '../../../../loops/warn-other-model.ts';
import type { ModelRequest } from '../../../../pipeline/define/model.ts';
import type { Logger } from '../../../../pipeline/logger.ts';
import type { MediaStore, ReasoningInput } from '../../../../pipeline/run/run.ts';
import type { CallOptions, SpecificationVersion } from '../../language-model.ts';
import { toPrompt } from '../../prompt/to-prompt.ts';
import { toToolChoice, toTools } from '../../to-call-options.ts';
import type { HostMessage } from '../host-ai.ts';
import { restoreMessage, type ToPrompt } from './restore-message.ts';

/** The SDK's request to a language model. Each version has more fields. */
export type HostRequest = CallOptions & { readonly [field: string]: unknown };

/** Converts a request for the hooks and back. Content that no hook changed keeps the SDK's own object. */
export interface Bridge {
  /** Converts the SDK's request. The run's initial messages are replaced by those that preCall settled. */
  toRequest(options: HostRequest): ReasoningInput;
  /** Converts the settled request for the SDK's model. */
  toHost(options: HostRequest, asked: ReasoningInput, settled: ModelRequest): Promise<HostRequest>;
}

/** Creates the conversion between the SDK's prompts and the messages of a run. */
export function createBridge(begun: BegunWith, options: BridgeOptions): Bridge {
  const { version, log, mediaStore, permissionOf, read } = options;
  const hostOf = new WeakMap<Message, HostMessage>();
  const seenOf = new WeakMap<HostRequest, readonly Message[]>();
  /** The messages of the latest request. */
  let before: readonly Message[] = [];
  const withPrefix = keepPrefix(begun, log);
  const described = keepKnown(({ name, description = '', inputSchema }: FunctionTool) => ({
    name,
    description,
    inputSchema: jsonObject(inputSchema),
    permission: permissionOf(name),
  }));
  const make: ToPrompt = (messages) => toPrompt(messages, version, mediaStore);

  const promptOf = async (messages: readonly Message[], options: HostRequest): Promise<readonly unknown[]> => {
    const given = options.prompt as unknown as readonly HostMessage[];
    const seen = seenOf.get(options) ?? [];
    if (messages.length === seen.length && messages.every((message, at) => message === seen[at])) return given;
    const origins = new Map(seen.map((message, at) => [message, { seen: message, host: given[at] as HostMessage }]));
    const own = messages.map((message) => origins.get(message)?.host ?? hostOf.get(message));
    if (own.every((message) => message !== undefined)) return own;
    const sources = sourcesOf([...origins.keys()], messages);
    const restored = messages.map(async (message, at): Promise<readonly unknown[]> => {
      const origin = origins.get(sources.get(message) as Message);
      if (own[at]) return [own[at]];
      return origin ? restoreMessage(message, origin, make) : make([withoutResults(message)]);
    });
    return (await Promise.all(restored)).flat();
  };

  return {
    toRequest(options) {
      const prompt = options.prompt as unknown as readonly HostMessage[];
      const seen = read(prompt);
      seen.forEach((message, at) => {
        if (message !== before[at]) hostOf.set(message, prompt[at] as HostMessage);
      });
      before = seen;
      seenOf.set(options, seen);
      const history = historyIn(seen);
      return {
        messages: [...seen.slice(0, seen.length - history.length), ...withPrefix(history)],
        tools: described(functionTools(options)),
        options: optionsOf(options),
      };
    },
    async toHost(options, asked, request) {
      warnOtherModel(request, log);
      return {
        ...options,
        prompt: (await promptOf(request.messages, options)) as never,
        ...toolsOf(options, asked.tools ?? [], request.tools),
        ...changedOptions(asked.options ?? {}, request.options),
      };
    },
  };
}

/** Returns the initial messages of a run: the prompt without the leading instructions. */
export function historyIn(prompt: readonly Message[]): readonly Message[] {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  return first < 0 ? [] : prompt.slice(first);
}

/** Drops the results of calls that the provider ran. Hooks do not see those calls. */
function withoutResults(message: Message): Message {
  if (message.role !== 'assistant' || message.origin !== undefined) return message;
  return { ...message, parts: message.parts.filter(({ type }) => type !== 'toolResult') };
}

interface BridgeOptions {
  /** Reads a prompt, and returns the same objects for messages that it has read before. */
  readonly read: (prompt: readonly HostMessage[]) => readonly Message[];
  readonly version: SpecificationVersion;
  readonly log: Logger;
  readonly mediaStore: MediaStore | undefined;
  readonly permissionOf: (tool: string) => ToolDescription['permission'];
}

interface FunctionTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

function functionTools({ tools = [] }: HostRequest): readonly FunctionTool[] {
  return (tools as readonly FunctionTool[]).filter(({ type }) => type === 'function');
}

/** Returns the SDK's own tools if no hook changed them. Tools of providers are always kept. */
function toolsOf(
  options: HostRequest,
  asked: readonly ToolDescription[],
  settled: readonly ToolDescription[],
): { tools?: readonly object[] } {
  if (settled.length === asked.length && settled.every((tool, index) => tool === asked[index])) return {};
  const known = new Map(functionTools(options).map((tool) => [tool.name, tool]));
  const own = settled.map((tool) => {
    if (asked.includes(tool)) return known.get(tool.name) as object;
    return { ...known.get(tool.name), ...(toTools([tool])[0] as object) };
  });
  const foreign = (options.tools ?? []).filter((tool) => (tool as FunctionTool).type !== 'function');
  return { tools: [...own, ...foreign] };
}

function optionsOf(options: HostRequest): ModelOptions {
  const { toolChoice, temperature, topP, maxOutputTokens, stopSequences, seed, providerOptions } = options;
  const choice = toolChoice as
    | { readonly type: 'auto' | 'none' | 'required' | 'tool'; readonly toolName?: string }
    | undefined;
  return {
    ...(choice && { toolChoice: choice.type === 'tool' ? { tool: choice.toolName ?? '' } : choice.type }),
    ...withoutUndefined({ temperature, topP, maxOutputTokens, stop: stopSequences, seed }),
    ...(providerOptions && { provider: JSON.parse(JSON.stringify(providerOptions)) }),
  };
}

/** Returns the options that hooks changed, by the SDK's names. A removed option is `undefined`. */
function changedOptions(asked: ModelOptions, settled: ModelOptions): { [option: string]: unknown } {
  const changes: { [option: string]: unknown } = {};
  const names = { stop: 'stopSequences', provider: 'providerOptions' } as const;
  for (const key of new Set([...Object.keys(asked), ...Object.keys(settled)]) as Set<keyof ModelOptions>) {
    const value = settled[key];
    if (JSON.stringify(value) === JSON.stringify(asked[key])) continue;
    const name = key in names ? names[key as keyof typeof names] : key;
    changes[name] = key === 'toolChoice' && settled.toolChoice ? toToolChoice(settled.toolChoice) : value;
  }
  return changes;
}
