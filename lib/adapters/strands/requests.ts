import type { Message } from '../../events/parts/message.ts';
import { systemMessage, textOf } from '../../events/parts/messages.ts';
import type { ModelOptions } from '../../events/parts/model-options.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import { jsonObject } from '../../loops/to-tool-call.ts';
import { warnOtherModel } from '../../loops/warn-other-model.ts';
import type { ModelRequest } from '../../pipeline/define/model.ts';
import { describeTool, type Tool } from '../../pipeline/define/tool.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { ReasoningInput } from '../../pipeline/run/run.ts';
import type { HostMessage, HostStreamOptions, HostToolSpec } from './host-strands.ts';
import { type Messages, textIn } from './messages.ts';

/** Converts a request for the hooks and back. */
export interface HookedRequest {
  readonly asked: ReasoningInput;
  toHost(settled: ModelRequest): { readonly messages: HostMessage[]; readonly options: HostStreamOptions };
}

/** The data that a request is converted with. */
export interface RequestScene {
  readonly messages: Messages;
  readonly withPrefix: (messages: readonly Message[]) => readonly Message[];
  readonly brought: readonly Tool[];
  readonly log: Logger;
}

export function toRequest(
  { messages, withPrefix, brought, log }: RequestScene,
  given: readonly HostMessage[],
  options: HostStreamOptions,
): HookedRequest {
  const { systemPrompt, toolSpecs = [], toolChoice } = options;
  const prompt = typeof systemPrompt === 'string' ? systemPrompt : textIn(systemPrompt ?? []);
  const system = systemPrompt === undefined ? [] : [systemMessage(prompt)];
  const own = new Map(toolSpecs.map((spec) => [describe(spec, brought), spec]));
  const choice = toChoice(toolChoice);
  const asked = {
    messages: [...system, ...withPrefix(messages.fromHost(given))],
    tools: [...own.keys()],
    options: choice === undefined ? {} : { toolChoice: choice },
  };
  return {
    asked,
    toHost(settled) {
      const systems = settled.messages.filter(({ role }) => role === 'system');
      const same = systems.length === system.length && systems[0] === system[0];
      const prompt = same ? systemPrompt : systems.map(textOf).join('\n\n') || undefined;
      const chosen = settled.options.toolChoice;
      const { systemPrompt: _, toolChoice: __, toolSpecs: ___, ...rest } = options;
      warn(settled.options, log);
      warnOtherModel(settled, log);
      const hostChoice = JSON.stringify(chosen) === JSON.stringify(choice) ? toolChoice : toHostChoice(chosen);
      return {
        messages: messages.toHost(settled.messages.filter(({ role }) => role !== 'system')),
        options: {
          ...rest,
          ...(prompt !== undefined && { systemPrompt: prompt }),
          ...(hostChoice && { toolChoice: hostChoice }),
          // Strands cannot express the tool choice `none`.
          toolSpecs: chosen === 'none' ? [] : settled.tools.map((tool) => own.get(tool) ?? toSpec(tool)),
        },
      };
    },
  };
}

/** Strands sets such options when the model is created, with the names of the provider. */
function warn({ toolChoice: _, ...options }: ModelOptions, log: Logger): void {
  const lost = Object.keys(options);
  if (lost.length > 0)
    log.warn(
      { options: lost },
      'Strands models ignore the options of a request: options that a hook sets have no effect',
    );
}

function describe(spec: HostToolSpec, brought: readonly Tool[]): ToolDescription {
  const { name, description, inputSchema = {} } = spec;
  const known = brought.find((tool) => tool.name === name);
  return known
    ? describeTool(known)
    : { name, description, inputSchema: jsonObject(inputSchema), permission: 'external' };
}

function toSpec({ name, description, inputSchema }: ToolDescription): HostToolSpec {
  return { name, description, inputSchema };
}

function toChoice(choice: object | undefined): ModelOptions['toolChoice'] {
  if (!choice) return undefined;
  if ('tool' in choice) return { tool: String((choice.tool as { name?: unknown }).name) };
  return 'any' in choice ? 'required' : 'auto';
}

function toHostChoice(choice: ModelOptions['toolChoice']): object | undefined {
  if (typeof choice === 'object') return { tool: { name: choice.tool } };
  if (choice === 'required') return { any: {} };
  return choice === 'auto' ? { auto: {} } : undefined;
}
