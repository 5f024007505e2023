import { concat, from, map, type Observable, of } from 'rxjs';
import { z } from 'zod';
import { answerSafely } from '../../chat/answer-safely.ts';
import type { ChatRun } from '../../chat/chat.ts';
import { type Caller, type ChatOptions, chatOptionsSchema } from '../../chat/chat-options.ts';
import { type ClientTool, clientToolSchema } from '../../chat/chat-request.ts';
import { createChat } from '../../chat/create-chat.ts';
import { sseBody } from '../../chat/http/sse-body.ts';
import { lastSegments } from '../../chat/last-segments.ts';
import { isRefusal, type Refusal, refuse } from '../../chat/refusal.ts';
import type { ChatReplay } from '../../chat/thread-view.ts';
import { parseOptions } from '../../errors/parse-options.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { answerInbox } from './request/answer-inbox.ts';
import { readRequest } from './request/read-request.ts';
import { showRun } from './show-run.ts';
import { begunChunks, replayChunks } from './thread/replay-chunks.ts';
import { toUiMessages } from './thread/to-ui-messages.ts';
import type { UiThreadMessage } from './thread/ui-thread-message.ts';
import { safeTexts, streamOptions, type UiMessageStreamOptions } from './to-ui-message-stream.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/** Options of `uiMessageStreamHandler`. */
export interface UiMessageStreamHandlerOptions
  extends ChatOptions,
    Pick<UiMessageStreamOptions, 'version' | 'buffer' | 'thinking' | 'hooks' | 'subagents' | 'errorText'> {
  /** Tools that the client runs (`onToolCall`). */
  readonly clientTools?: readonly ClientTool[];
  /** The inbox for pending calls inside running runs. They are shown, and answered with `POST <api>/:id/approvals`. */
  readonly inbox?: Pick<Inbox, 'list' | 'changes$' | 'answer'>;
}

const optionsSchema = chatOptionsSchema.extend({
  ...streamOptions,
  clientTools: z.array(clientToolSchema).default([]),
  inbox: z
    .custom<Inbox>(
      (value) => typeof (value as Inbox | null)?.list === 'function',
      'must be an inbox from createInbox()',
    )
    .optional(),
});

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  'x-vercel-ai-ui-message-stream': 'v1',
};

/** The messages of a thread, its active run, and the message that a resumed run continues. */
interface LoadedThread {
  readonly messages: readonly UiThreadMessage[];
  readonly run?: ChatRun | undefined;
  readonly begun?: UiThreadMessage;
}

/** Handles the requests of `useChat`. */
export interface UiMessageStreamHandler {
  (request: Request): Promise<Response>;
  /**
   * Returns the messages of a user's thread as `UIMessage[]`, with its pending calls, for rendering on the server. An unknown thread has none.
   */
  threadMessages(caller: Caller, threadId: string): Promise<readonly UiThreadMessage[]>;
}

/**
 * Serves an agent to `useChat` of the AI SDK:
 *
 * - `POST <api>` accepts a message or answers. Repeated answers return what followed them.
 * - `GET <api>/:id` returns the messages of the thread as `UIMessage[]`. While a run is active, its messages follow in its stream.
 * - `GET <api>/:id/stream` returns the stream of the active run from its start, or 204.
 * - `POST <api>/:id/stop` cancels the active runs of the thread.
 * - With an inbox, `POST <api>/:id/approvals` accepts `{ id, hash, approved, reason?, input? }`.
 *
 * Throws `OPTIONS_INVALID` for invalid options. An invalid request gets a 4xx response with the message as text, which `useChat` shows, and its code
 * in the header `hookline-error`.
 */
export function uiMessageStreamHandler(options: UiMessageStreamHandlerOptions): UiMessageStreamHandler {
  const { clientTools, inbox, version, buffer, thinking, hooks, subagents, errorText } = parseOptions(
    'uiMessageStreamHandler()',
    optionsSchema,
    options,
  );
  const { log = consoleLogger } = options;
  const chat = createChat(options);
  const own = new Set(clientTools.map(({ name }) => name));
  /** The message id of each stream, so that later readers get the same id. */
  const begun = new WeakMap<ChatRun, string>();

  function respond(run: ChatRun, before: readonly UiMessageChunk[] = []): Response {
    const messageId = begun.get(run) ?? run.id;
    const shown = { version, buffer, thinking, hooks, subagents, messageId, clientTools: [...run.clientTools] };
    const chunks$ = showRun(run, { ...shown, errorText: safeTexts(errorText, run.id) }, inbox);
    return stream(concat(before, chunks$), run.replaying);
  }

  async function post(caller: Caller, request: Request): Promise<Response | Refusal> {
    const read = await chat.read(request);
    if ('refusal' in read) return read.refusal;
    const posted = readRequest(read.json, { own: clientTools, trusted: options.trustClientHistory === true });
    if (isRefusal(posted)) return posted;
    let run = await chat.open(caller, posted.request);
    // A new message does not require answers. The pending calls are then abandoned.
    if (posted.messageId === undefined && isRefusal(run) && /^ANSWER|^SNAPSHOT_INVALID$/.test(run.code))
      run = await chat.open(caller, { ...posted.request, answers: [], results: [] });
    if (isRefusal(run)) return run;
    if (!isRun(run)) return stream(from(replayChunks(run, posted.messageId ?? run.id, { version, clientTools: own })));
    if (!begun.has(run)) begun.set(run, posted.messageId ?? run.id);
    return respond(run);
  }

  async function load(caller: Caller, threadId: string): Promise<LoadedThread> {
    const view = await chat.view(caller, threadId);
    if (!view) return { messages: [] };
    const { run, pending } = view;
    const messages = toUiMessages(view.messages, { version, clientTools: own, pending, prefix: threadId });
    const last = messages.at(-1);
    // The stream of a resumed run contains the message that it continues.
    if (!run?.resumes || last?.role !== 'assistant') return { messages, run };
    return { messages: messages.slice(0, -1), run, begun: last };
  }

  async function resume(caller: Caller, threadId: string): Promise<Response> {
    const run = chat.running(caller, threadId);
    if (!run) return new Response(null, { status: 204 });
    if (!run.resumes) return respond(run);
    const loaded = await load(caller, threadId);
    if (!loaded.run) return new Response(null, { status: 204 });
    return respond(loaded.run, loaded.begun && begunChunks(loaded.begun, begun.get(loaded.run) ?? loaded.run.id));
  }

  async function answer(caller: Caller, request: Request): Promise<Response | Refusal> {
    const read = await chat.read(request);
    if ('refusal' in read) return read.refusal;
    return answerInbox(inbox as Inbox, chat, caller, read.json);
  }

  async function handle(request: Request): Promise<Response | Refusal> {
    const caller = await chat.identify(request);
    if (caller instanceof Response || isRefusal(caller)) return caller;
    const [threadId, leaf] = lastSegments(request);
    if (request.method === 'POST') {
      if (threadId !== undefined && leaf === 'approvals' && inbox) return answer(caller, request);
      if (threadId === undefined || leaf !== 'stop') return post(caller, request);
      await chat.stop(caller, threadId);
      return new Response(null, { status: 204 });
    }
    if (request.method !== 'GET' || leaf === undefined)
      return refuse(405, 'METHOD', 'Send a chat with POST, or load a thread with GET <chat ID>.');
    if (threadId !== undefined && leaf === 'stream') return resume(caller, threadId);
    const { messages } = await load(caller, leaf);
    return Response.json(messages, { headers: { 'cache-control': 'no-store' } });
  }

  return Object.assign(answerSafely(log, handle, textRefusal), {
    threadMessages: async (caller: Caller, threadId: string) => (await load(caller, threadId)).messages,
  });
}

function stream(chunks$: Observable<UiMessageChunk>, replaying = () => true): Response {
  const frames$ = concat(chunks$.pipe(map((chunk) => JSON.stringify(chunk))), of('[DONE]'));
  const body = sseBody(frames$.pipe(map((data) => `data: ${data}\n\n`)), { replaying });
  return new Response(body, { headers: HEADERS });
}

function isRun(run: ChatRun | ChatReplay): run is ChatRun {
  return 'events$' in run;
}

/** `useChat` shows the body of an error response. */
function textRefusal({ status, code, message }: Refusal): Response {
  return new Response(message, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'hookline-error': code },
  });
}
