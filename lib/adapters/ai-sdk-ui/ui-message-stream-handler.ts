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

/** What the handler serves, and to whom. */
export interface UiMessageStreamHandlerOptions
  extends ChatOptions,
    Pick<UiMessageStreamOptions, 'version' | 'buffer' | 'thinking' | 'hooks' | 'errorText'> {
  /** Tools that the client runs itself (`onToolCall`). */
  readonly clientTools?: readonly ClientTool[];
  /** Where calls wait in runs that go on; they are shown, and answered by `POST <api>/:id/approvals`. */
  readonly inbox?: Pick<Inbox, 'list' | 'changes$' | 'answer'>;
}

const optionsSchema = chatOptionsSchema.extend({
  ...streamOptions,
  clientTools: z.array(clientToolSchema).default([]),
  inbox: z
    .custom<Inbox>(
      (value) => typeof (value as Inbox | null)?.list === 'function',
      'must be an inbox (createInbox makes them)',
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
 * Serves an agent to `useChat` of the AI SDK, at one path and what lies under it: `POST <api>` with a message or with answers, `GET
 * <api>/:id/stream` for the running stream from its start (204 without one), and with an inbox `POST <api>/:id/approvals` with
 * `{ id, hash, approved, reason?, input? }`. Wrong options are `OPTIONS_INVALID`; a wrong request is answered with 4xx and `{ error: { code, message } }`.
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
  /** The id of the message that a stream was begun with: who comes later gets the same. */
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
    // Who says something new need not have answered; what waits is given up then.
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
      return refusalResponse(refuse(405, 'METHOD', 'POST a chat here, or GET <chat id>/stream under this path.'));
    const run = await post(caller, request);
    return isRefusal(run) ? refusalResponse(run) : respond(run);
  }

  return answerSafely(log, handle);
}

/** The last two segments of the path: an id, and what is wanted of it. */
function placeOf({ url }: Request): { readonly threadId?: string; readonly leaf?: string } {
  const [threadId, leaf] = new URL(url).pathname.split('/').slice(-2);
  if (!threadId || leaf === undefined) return {};
  try {
    return { threadId: decodeURIComponent(threadId), leaf };
  } catch {
    return {};
  }
}
