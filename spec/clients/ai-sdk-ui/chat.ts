import type { ChatInit, ChatState, UIMessage } from 'ai6latest';
import type { Client } from './clients.ts';
import type { Part } from './expect-settled.ts';

/** A chat of a client without a page, like `useChat` without React. */
export interface HeadlessChat {
  readonly messages: readonly UIMessage[];
  readonly status: string;
  readonly error: Error | undefined;
  sendMessage(message?: { text: string }, options?: { body?: object }): Promise<void>;
  resumeStream(): Promise<void>;
  regenerate(): Promise<void>;
  stop(): Promise<void>;
  addToolApprovalResponse(answer: { id: string; approved: boolean; reason?: string }): void | PromiseLike<void>;
  addToolOutput(result: { tool: string; toolCallId: string; output: unknown }): void | PromiseLike<void>;
  /** Only in version 5. */
  addToolResult(result: { tool: string; toolCallId: string; output: unknown }): void | PromiseLike<void>;
}

export function createHeadlessChat({ sdk }: Client, api: string, init: ChatInit<UIMessage> & { user?: string } = {}) {
  const { messages = [], user = 'ann', ...own } = init;
  const state: ChatState<UIMessage> = {
    status: 'ready',
    error: undefined,
    messages,
    pushMessage(message) {
      state.messages = [...state.messages, message];
    },
    popMessage() {
      state.messages = state.messages.slice(0, -1);
    },
    replaceMessage(index, message) {
      // Pages also render copies.
      state.messages = state.messages.map((one, at) => (at === index ? structuredClone(message) : one));
    },
    snapshot: (thing) => structuredClone(thing),
  };
  const transport = new sdk.DefaultChatTransport({ api, headers: { 'x-user': user } });
  class Chat extends sdk.AbstractChat<UIMessage> {}
  return new Chat({ id: 'thread', transport, ...own, state }) as unknown as HeadlessChat;
}

/** The parts of the last message. */
export const lastParts = ({ messages }: HeadlessChat): readonly Part[] =>
  (messages.at(-1)?.parts ?? []) as readonly Part[];

/** The part of the last message for this tool. */
export const toolPart = (chat: HeadlessChat, name: string): Part | undefined =>
  lastParts(chat).findLast(({ type, toolName }) => type === `tool-${name}` || toolName === name);

/** The texts of the last message. */
export const lastTexts = (chat: HeadlessChat): readonly string[] =>
  lastParts(chat).flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));

/** Waits until the chat has reached a state by itself. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !holds(); waited += 5) {
    if (waited > 4_000) throw new Error(`It never came to that: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
