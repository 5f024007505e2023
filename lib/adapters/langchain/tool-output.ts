import type { ToolResult } from '../../events/parts/tool-result.ts';
import { rawResult } from '../../loops/raw-result.ts';
import type { HostLangChain, HostMessage, HostTool } from './host-langchain.ts';
import { textIn } from './messages.ts';

/** A tool's output as hooks see it, and its conversion back after the hooks have settled it. */
export interface RawOutput {
  readonly result: ToolResult;
  settle(settled: ToolResult): HostOutput;
}

/** The output for LangChain: content for the model, or a message or command that LangChain receives unchanged. */
export type HostOutput = { readonly direct: unknown } | { readonly content: unknown; readonly artifact?: unknown };

/**
 * Converts a tool's output to text. For a message, a command or a pair of content and artifact, it is the text for the model. A command without text
 * for the model is converted as a whole.
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
        // The command or the artifact may repeat text that a hook removed.
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

/** LangGraph also identifies commands by this field. */
function isCommand(value: unknown): value is HostCommand {
  return (value as { readonly lg_name?: unknown } | null | undefined)?.lg_name === 'Command';
}

/** Returns a command whose message has the settled content. */
function changed(
  { Command, ToolMessage }: HostLangChain,
  { graph, goto }: HostCommand,
  message: HostMessage,
  { content, isError }: ToolResult,
): unknown {
  const { id, name, tool_call_id } = message;
  const toolMessage = new ToolMessage({ content, id, name, tool_call_id, status: isError ? 'error' : 'success' });
  // Other state updates of the command may repeat text that a hook removed.
  return new Command({ graph, goto, update: { messages: [toolMessage] } });
}

/** Returns the message for the model in a command. The update is an object or a list of entries. */
function messageIn({ update }: HostCommand, callId: string): HostMessage | undefined {
  const entries: readonly unknown[] = Array.isArray(update) ? update : Object.entries(update ?? {});
  const messages = entries.flatMap((entry) =>
    Array.isArray(entry) && entry[0] === 'messages' ? [entry[1]].flat() : [],
  );
  const toolMessages = messages.filter(isToolMessage);
  return toolMessages.find(({ tool_call_id }) => tool_call_id === callId) ?? toolMessages[0];
}

function isToolMessage(value: unknown): value is HostMessage {
  const message = value as Partial<HostMessage> | null | undefined;
  return typeof message?.getType === 'function' && message.getType() === 'tool';
}
