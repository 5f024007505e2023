import { systemMessage, textOf } from '../../events/parts/messages.ts';
import type { ModelOptions } from '../../events/parts/model-options.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { keepKnown } from '../../loops/keep-known.ts';
import { type BegunWith, keepPrefix } from '../../loops/keep-prefix.ts';
import { warnOtherModel } from '../../loops/warn-other-model.ts';
import type { ModelRequest } from '../../pipeline/define/model.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { ReasoningInput } from '../../pipeline/run/run.ts';
import type { HostHandoffDescription, HostItem, HostRequest, HostToolDescription } from './host-types.ts';
import type { Items } from './items.ts';

/** Converts a request for the hooks and back. Content that no hook changed keeps the runner's own object. */
export interface Bridge {
  toRequest(host: HostRequest): ReasoningInput;
  toHost(host: HostRequest, asked: ReasoningInput, settled: ModelRequest): HostRequest;
}

/** The data of the run that a bridge needs. */
export interface BridgeOptions extends BegunWith {
  readonly log: Logger;
  readonly items: Items;
  /** The number of items at the start of the run. */
  readonly length: number;
  /** Texts for the model about handoffs whose outcome differs from the runner's, by call id. */
  readonly outputs: ReadonlyMap<string, string>;
}

export function createBridge({ items, length, outputs, log, ...begun }: BridgeOptions): Bridge {
  const withPrefix = keepPrefix(begun, log);
  const describedTools = keepKnown(describe);
  const describedHandoffs = keepKnown(describeHandoff);
  let sent = false;
  return {
    toRequest(host) {
      const input = inputItems(host.input).map((item) => rewritten(item, outputs));
      const { systemInstructions, previousResponseId, conversationId } = host;
      // If the provider stores the conversation, later requests contain only new items.
      const whole = !sent || (previousResponseId === undefined && conversationId === undefined);
      sent = true;
      const messages = items.toMessages(input, length);
      return {
        messages: [
          ...(systemInstructions === undefined ? [] : [systemMessage(systemInstructions)]),
          ...(whole ? withPrefix(messages) : messages),
        ],
        tools: [...describedTools(host.tools.filter(isFunction)), ...describedHandoffs(host.handoffs)],
        options: optionsOf(host.modelSettings),
      };
    },
    toHost(host, asked, settled) {
      const { messages, tools, options } = settled;
      warnOtherModel(settled, log);
      const [first] = messages;
      const system = first?.role === 'system' && !items.has(first) ? first : undefined;
      return {
        ...host,
        ...(system && { systemInstructions: textOf(system) }),
        ...(!system && host.systemInstructions !== undefined && { systemInstructions: undefined }),
        input: items.toItems(system ? messages.slice(1) : messages),
        ...toolsOf(host, asked.tools ?? [], tools),
        modelSettings: { ...host.modelSettings, ...changedOptions(asked.options ?? {}, options) },
        // Traces must contain the settled reply, not the raw one.
        tracing: host.tracing === true ? 'enabled_without_data' : host.tracing,
      } as HostRequest;
    },
  };
}

export function inputItems(input: HostRequest['input']): readonly HostItem[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

function rewritten(item: HostItem, outputs: ReadonlyMap<string, string>): HostItem {
  const text = item.type === 'function_call_result' ? outputs.get(String(item['callId'])) : undefined;
  return text === undefined ? item : { ...item, output: { type: 'text', text } };
}

function isFunction({ type }: HostToolDescription): boolean {
  return type === 'function';
}

function describe({ name, description = '', parameters = {} }: HostToolDescription): ToolDescription {
  return { name, description, inputSchema: copyOf(parameters), permission: 'external' };
}

/** A handoff changes only the current agent. */
function describeHandoff({ toolName, toolDescription, inputJsonSchema }: HostHandoffDescription): ToolDescription {
  return { name: toolName, description: toolDescription, inputSchema: copyOf(inputJsonSchema), permission: 'read' };
}

function toolsOf(
  host: HostRequest,
  asked: readonly ToolDescription[],
  settled: readonly ToolDescription[],
): Partial<HostRequest> {
  if (settled.length === asked.length && settled.every((tool, index) => tool === asked[index])) return {};
  const known = new Map(host.tools.filter(isFunction).map((tool) => [tool.name, tool]));
  const handoffs = new Map(host.handoffs.map((handoff) => [handoff.toolName, handoff]));
  const kept = settled
    .filter(({ name }) => !handoffs.has(name))
    .map((tool) => {
      const own = known.get(tool.name);
      const { name, description, inputSchema: parameters } = tool;
      return own && asked.includes(tool)
        ? own
        : { type: 'function', strict: false, ...own, name, description, parameters };
    });
  return {
    tools: [...kept, ...host.tools.filter((tool) => !isFunction(tool))],
    handoffs: settled.flatMap((tool) => {
      const own = handoffs.get(tool.name);
      if (!own) return [];
      return [
        asked.includes(tool) ? own : { ...own, toolDescription: tool.description, inputJsonSchema: tool.inputSchema },
      ];
    }),
  };
}

function optionsOf({
  toolChoice,
  temperature,
  topP,
  maxTokens,
  providerData,
}: HostRequest['modelSettings']): ModelOptions {
  return {
    ...(typeof toolChoice === 'string' && { toolChoice: toChoice(toolChoice) }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { topP }),
    ...(typeof maxTokens === 'number' && { maxOutputTokens: maxTokens }),
    ...(typeof providerData === 'object' && providerData !== null && { provider: copyOf(providerData) }),
  };
}

function toChoice(choice: string): NonNullable<ModelOptions['toolChoice']> {
  return choice === 'auto' || choice === 'none' || choice === 'required' ? choice : { tool: choice };
}

/** Returns the options that hooks changed, by the runner's names. A removed option is `undefined`. */
function changedOptions(asked: ModelOptions, settled: ModelOptions): { [setting: string]: unknown } {
  const names: { [name: string]: string } = { maxOutputTokens: 'maxTokens', provider: 'providerData' };
  const changes: { [setting: string]: unknown } = {};
  for (const key of new Set([...Object.keys(asked), ...Object.keys(settled)]) as Set<keyof ModelOptions>) {
    const value = settled[key];
    if (JSON.stringify(value) === JSON.stringify(asked[key])) continue;
    const { toolChoice: choice } = settled;
    changes[names[key] ?? key] = key === 'toolChoice' && typeof choice === 'object' ? choice.tool : value;
  }
  return changes;
}

function copyOf(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
