import type { Message } from '../../events/parts/message.ts';
import type { ModelOptions } from '../../events/parts/model-options.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { KeepKnown } from '../../loops/keep-known.ts';
import { warnOtherModel } from '../../loops/warn-other-model.ts';
import type { ModelRequest } from '../../pipeline/define/model.ts';
import { describeTool, type Tool } from '../../pipeline/define/tool.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { ReasoningInput } from '../../pipeline/run/run.ts';
import { originsOf } from './edited-message.ts';
import type { HostLangChain, HostMessage, HostTool } from './host-langchain.ts';
import { jsonSchemaOf } from './own-tool.ts';
import { toHostMessages } from './to-host-messages.ts';

/** The tools that the agent binds to its model, and the binding's options. */
export interface BoundTools {
  readonly tools: readonly object[];
  readonly options: object;
}

/** Converts a model request for the hooks and back. Messages and tools that no hook changed keep their LangChain object. */
export interface HookedRequest {
  readonly asked: ReasoningInput;
  messages(settled: ModelRequest): HostMessage[];
  /** Returns the tools to bind and the binding's options. */
  toHost(settled: ModelRequest): { readonly tools: readonly object[] | undefined; readonly given: object };
  /** Returns call options that a hook set. */
  changed(settled: ModelRequest): object;
}

/** Options whose names differ between providers. */
const UNNAMED = ['temperature', 'topP', 'maxOutputTokens', 'seed', 'responseFormat'] as const;

export function toRequest(
  langchain: HostLangChain,
  given: readonly HostMessage[],
  { bound, log, brought, readMessages }: RequestOptions,
): HookedRequest {
  const messages = readMessages(given);
  const own = new Map<ToolDescription, object>();
  const foreign: object[] = [];
  for (const tool of bound?.tools ?? []) {
    const described = describe(langchain, tool, brought);
    if (described) own.set(described, tool);
    else foreign.push(tool);
  }
  const tools = [...own.keys()];
  const { tool_choice: choice, ...rest } = (bound?.options ?? {}) as { readonly tool_choice?: unknown };
  const options: ModelOptions = typeof choice === 'string' ? { toolChoice: toChoice(choice) } : {};

  return {
    asked: { messages, tools, options },
    messages: (settled) => {
      if (settled.messages.length === given.length && settled.messages.every((message, at) => message === messages[at]))
        return [...given];
      const hostOf = new Map(messages.map((message, at) => [message, given[at] as HostMessage]));
      const origins = originsOf(given, messages, settled.messages);
      return settled.messages.flatMap(
        (message, at) => hostOf.get(message) ?? toHostMessages(langchain, message, origins[at]),
      );
    },
    toHost(settled) {
      warnOtherModel(settled, log);
      if (!bound && settled.tools.length === 0) return { tools: undefined, given: {} };
      const same = JSON.stringify(settled.options.toolChoice) === JSON.stringify(options.toolChoice);
      const chosen = same ? choice : toHostChoice(settled.options.toolChoice);
      const bindable = settled.tools.map((tool) => own.get(tool) ?? functionTool(tool));
      return {
        tools: [...bindable, ...foreign],
        given: { ...rest, ...(chosen !== undefined && { tool_choice: chosen }) },
      };
    },
    changed({ options: { stop, provider, ...settled } }) {
      const lost = UNNAMED.filter((name) => settled[name] !== undefined);
      if (lost.length > 0)
        log.warn(
          { options: lost },
          'a hook set options that LangChain has no common name for; set them in options.provider, with the names of the provider',
        );
      return { ...provider, ...(stop && { stop }) };
    },
  };
}

interface RequestOptions {
  /** Reads messages, and returns the same objects for messages that it has read before. */
  readonly readMessages: KeepKnown<HostMessage, Message>;
  readonly bound?: BoundTools | undefined;
  readonly log: Logger;
  readonly brought: readonly Tool[];
}

/** Describes a tool for the hooks. Returns `undefined` for a tool that the provider executes. */
function describe(langchain: HostLangChain, tool: object, brought: readonly Tool[]): ToolDescription | undefined {
  const { name, description = '', invoke } = tool as Partial<HostTool>;
  const known = brought.find((one) => one.name === name);
  if (known) return describeTool(known);
  if (typeof invoke === 'function' && name !== undefined)
    return { name, description, inputSchema: jsonSchemaOf(langchain, tool as HostTool), permission: 'external' };
  const { function: definition } = tool as {
    readonly function?: { name: string; description?: string; parameters?: object };
  };
  if (!definition) return undefined;
  const inputSchema = JSON.parse(JSON.stringify(definition.parameters ?? {}));
  return { name: definition.name, description: definition.description ?? '', inputSchema, permission: 'external' };
}

function functionTool({ name, description, inputSchema }: ToolDescription): object {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

function toChoice(choice: string): NonNullable<ModelOptions['toolChoice']> {
  if (choice === 'any' || choice === 'required') return 'required';
  return choice === 'auto' || choice === 'none' ? choice : { tool: choice };
}

function toHostChoice(choice: ModelOptions['toolChoice']): string | undefined {
  if (typeof choice === 'object') return choice.tool;
  return choice === 'required' ? 'any' : choice;
}
