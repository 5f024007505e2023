import type { ToolResult } from '../../events/parts/tool-result.ts';
import { rawResult } from '../../loops/raw-result.ts';
import type { HostLangChain, HostMessage, HostTool } from './host-langchain.ts';
import { textIn } from './messages.ts';

/** A tool's own value as hooks see it, and what the host gets of it when they have settled its text. */
export interface RawOutput {
  readonly result: ToolResult;
  settle(settled: ToolResult): HostOutput;
}

/** What a tool gives the host: content for the model, or what the host takes as it is, a message or a command. */
export type HostOutput = { readonly direct: unknown } | { readonly content: unknown; readonly artifact?: unknown };

/**
 * What the tool gave, as text: of a message, a command, or a pair of content and artifact, that which the model is told; of a command that tells it
 * nothing, all of it.
 */
export function outputOf(
  langchain: HostLangChain,
  value: unknown,
  { name, responseFormat }: HostTool,
  callId: string,
): RawOutput {
  const pair = responseFormat === 'content_and_artifact' && Array.isArray(value) ? (value as unknown[]) : undefined;
  const command = isCommand(value) ? value : undefined;
  const message = command ? messageIn(command, callId) : isToolMessage(value) ? value : undefined;
  const raw = rawResult(message ? textIn(message) : pair ? pair[0] : value, name);
  const result = { ...raw.result, isError: message?.status === 'error' };
  return {
    result,
    settle(settled) {
      if (settled.content !== result.content) {
        if (command && message) return { direct: changed(langchain, command, message, settled) };
        // What hooks have taken out of the text may be anywhere in a command, and in an artifact a second time.
        return { content: command ? settled.content : raw.restore(settled) };
      }
      if (message || command) return { direct: value };
      return pair ? { content: pair[0], artifact: pair[1] } : { content: value };
    },
  };
}

interface HostCommand {
  readonly graph?: unknown;
  readonly goto?: unknown;
  readonly update?: unknown;
}

/** As LangGraph knows them. */
function isCommand(value: unknown): value is HostCommand {
  return (value as { readonly lg_name?: unknown } | null | undefined)?.lg_name === 'Command';
}

/** A command whose message says what hooks have made of it. */
function changed(
  { Command, ToolMessage }: HostLangChain,
  { graph, goto }: HostCommand,
  message: HostMessage,
  { content, isError }: ToolResult,
): unknown {
  const { id, name, tool_call_id } = message;
  const said = new ToolMessage({ content, id, name, tool_call_id, status: isError ? 'error' : 'success' });
  // What else it puts into the state may be a second copy of what hooks have taken out.
  return new Command({ graph, goto, update: { messages: [said] } });
}

/** The message to the model in a command to the graph, whose update is an object or a list of entries. */
function messageIn({ update }: HostCommand, callId: string): HostMessage | undefined {
  const entries: readonly unknown[] = Array.isArray(update) ? update : Object.entries(update ?? {});
  const said = entries.flatMap((entry) => (Array.isArray(entry) && entry[0] === 'messages' ? [entry[1]].flat() : []));
  const told = said.filter(isToolMessage);
  return told.find(({ tool_call_id }) => tool_call_id === callId) ?? told[0];
}

function isToolMessage(value: unknown): value is HostMessage {
  const message = value as Partial<HostMessage> | null | undefined;
  return typeof message?.getType === 'function' && message.getType() === 'tool';
}
