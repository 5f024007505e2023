import { concat, map, of } from 'rxjs';
import { z } from 'zod';
import { answerSafely } from '../../chat/answer-safely.ts';
import type { ChatRun } from '../../chat/chat.ts';
import { type Caller, type ChatOptions, chatOptionsSchema } from '../../chat/chat-options.ts';
import { type ClientTool, clientToolSchema } from '../../chat/chat-request.ts';
import { createChat } from '../../chat/create-chat.ts';
import { isRefusal, type Refusal, refusalResponse, refuse } from '../../chat/refusal.ts';
import { sseBody } from '../../chat/sse-body.ts';
import { parseOptions } from '../../errors/parse-options.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { answerInbox } from './request/answer-inbox.ts';
import { readRequest } from './request/read-request.ts';
import { showRun } from './show-run.ts';
import { safeTexts, streamOptions, type UiMessageStreamOptions } from './to-ui-message-stream.ts';

/** Options of `uiMessageStreamHandler`. */
export interface UiMessageStreamHandlerOptions
  extends ChatOptions,
    Pick<UiMessageStreamOptions, 'version' | 'buffer' | 'thinking' | 'hooks' | 'errorText'> {
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

/**
 * Serves an agent to `useChat` of the AI SDK. `POST <api>` accepts a message or answers. `GET <api>/:id/stream` returns the running stream from its
 * start, or 204. With an inbox, `POST <api>/:id/approvals` accepts `{ id, hash, approved, reason?, input? }`. Throws `OPTIONS_INVALID` for invalid
 * options. An invalid request gets a 4xx response with `{ error: { code, message } }`.
 */
export function uiMessageStreamHandler(
  options: UiMessageStreamHandlerOptions,
): (request: Request) => Promise<Response> {
  const { clientTools, inbox, version, buffer, thinking, hooks, errorText } = parseOptions(
    'uiMessageStreamHandler()',
    optionsSchema,
    options,
  );
  const { log = consoleLogger } = options;
  const chat = createChat(options);
  /** The message id of each stream, so that later readers get the same id. */
  const begun = new WeakMap<ChatRun, string>();

  function respond(run: ChatRun): Response {
    const messageId = begun.get(run) ?? run.id;
    const shown = { version, buffer, thinking, hooks, messageId, clientTools: [...run.clientTools] };
    const chunks$ = showRun(run, { ...shown, errorText: safeTexts(errorText, run.id) }, inbox);
    const frames$ = concat(chunks$.pipe(map((chunk) => JSON.stringify(chunk))), of('[DONE]'));
    const body = sseBody(frames$.pipe(map((data) => `data: ${data}\n\n`)), { replaying: run.replaying });
    return new Response(body, { headers: HEADERS });
  }

  async function post(caller: Caller, request: Request): Promise<ChatRun | Refusal> {
    const read = await chat.read(request);
    if ('refusal' in read) return read.refusal;
    const posted = readRequest(read.json, { own: clientTools, trusted: options.trustClientHistory === true });
    if (isRefusal(posted)) return posted;
    let run = await chat.open(caller, posted.request);
    // A new message does not require answers. The pending calls are then abandoned.
    if (posted.messageId === undefined && isRefusal(run) && run.code.startsWith('ANSWER_'))
      run = await chat.open(caller, { ...posted.request, answers: [], results: [] });
    if (isRefusal(run) || begun.has(run)) return run;
    begun.set(run, posted.messageId ?? run.id);
    return run;
  }

  async function answer(caller: Caller, threadId: string, request: Request): Promise<Response> {
    const read = await chat.read(request);
    if ('refusal' in read) return refusalResponse(read.refusal);
    const run = await chat.running(caller, threadId);
    if (run && isRefusal(run)) return refusalResponse(run);
    return answerInbox(inbox as Inbox, caller, read.json);
  }

  async function handle(request: Request): Promise<Response> {
    const caller = await chat.identify(request);
    if (caller instanceof Response) return caller;
    const { threadId, leaf } = placeOf(request);
    if (request.method === 'POST' && threadId !== undefined && leaf === 'approvals' && inbox)
      return answer(caller, threadId, request);
    if (request.method === 'GET' && threadId !== undefined && leaf === 'stream') {
      const run = await chat.running(caller, threadId);
      if (!run) return new Response(null, { status: 204 });
      return isRefusal(run) ? refusalResponse(run) : respond(run);
    }
    if (request.method !== 'POST')
      return refusalResponse(
        refuse(405, 'METHOD', 'Send a chat with POST, or resume a stream with GET <chat ID>/stream.'),
      );
    const run = await post(caller, request);
    return isRefusal(run) ? refusalResponse(run) : respond(run);
  }

  return answerSafely(log, handle);
}

/** Returns the last two segments of the path: an id and an action. */
function placeOf({ url }: Request): { readonly threadId?: string; readonly leaf?: string } {
  const [threadId, leaf] = new URL(url).pathname.split('/').slice(-2);
  if (!threadId || leaf === undefined) return {};
  try {
    return { threadId: decodeURIComponent(threadId), leaf };
  } catch {
    return {};
  }
}
