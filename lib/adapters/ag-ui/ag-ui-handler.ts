import { concatMap, from, map, type Observable } from 'rxjs';
import { answerSafely } from '../../chat/answer-safely.ts';
import type { ChatRun } from '../../chat/chat.ts';
import { type Caller, type ChatOptions, chatOptionsSchema } from '../../chat/chat-options.ts';
import type { ChatAnswer } from '../../chat/chat-request.ts';
import { createChat } from '../../chat/create-chat.ts';
import { sseBody } from '../../chat/http/sse-body.ts';
import { lastSegments } from '../../chat/last-segments.ts';
import { newMessage } from '../../chat/new-input.ts';
import { isRefusal, type Refusal, refuse } from '../../chat/refusal.ts';
import { noPending } from '../../chat/thread-view.ts';
import type { ChatCall } from '../../chat/threads.ts';
import { parseOptions } from '../../errors/parse-options.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import type { AgUiEvent, AgUiMessage } from './ag-ui-event.ts';
import { pendingOutcome } from './mapping/ending.ts';
import { type AgUiInput, readInput } from './read-input.ts';
import { toAgUiMessages, withReplay } from './thread-messages.ts';
import { type AgUiOptions, agUiOptions, mappingOptions, mapWith } from './to-ag-ui.ts';

/** Options of `agUiHandler`. */
export interface AgUiHandlerOptions
  extends ChatOptions,
    Pick<AgUiOptions, 'thinking' | 'toolOutput' | 'hooks' | 'subagents' | 'inbox' | 'errorText'> {}

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };

/** Handles the requests of AG-UI clients. */
export interface AgUiHandler {
  (request: Request): Promise<Response>;
  /**
   * Returns the messages of a user's thread, with its pending calls, for rendering on the server. An unknown thread has none.
   */
  threadMessages(caller: Caller, threadId: string): Promise<readonly AgUiMessage[]>;
}

/**
 * Serves an agent to clients of AG-UI 1.0. Each POST of a `RunAgentInput` is answered with the events of a run:
 *
 * - With `resume`, or with results of the client's tools, the suspended run resumes. Repeated answers return what followed them. Unknown answers
 *   return a run with the calls that are pending now and an error, so that the client can continue.
 * - With a new user message, a new run starts.
 * - Otherwise, the client connects: it receives the messages of the thread, then the active run or the pending calls.
 *
 * `POST <url>/<threadId>/stop` cancels the active runs. Throws `OPTIONS_INVALID` for invalid options. An invalid request gets a 4xx response with
 * `{ error: { code, message } }`.
 */
export function agUiHandler(options: AgUiHandlerOptions): AgUiHandler {
  const { thinking, toolOutput, hooks, subagents, inbox, errorText } = parseOptions(
    'agUiHandler()',
    chatOptionsSchema.extend(agUiOptions),
    options,
  );
  const chat = createChat(options);
  const { log = consoleLogger } = options;

  function eventsOf(run: ChatRun, { runId, messages, request }: AgUiInput): Observable<AgUiEvent> {
    const failed = `The run failed (${run.id}).`;
    const shown = mappingOptions({
      ...{
        threadId: request.threadId,
        runId,
        messages,
        thinking,
        toolOutput,
        hooks,
        subagents,
        ...(inbox && { inbox }),
      },
      errorText(event) {
        try {
          return errorText?.(event) ?? failed;
        } catch (err) {
          log.error({ err, id: run.id }, 'errorText(event) failed');
          return failed;
        }
      },
    });
    const { waiting, clientTools, named } = run;
    return run.events$.pipe(mapWith({ ...shown, broken: failed, waiting, clientTools, named }));
  }

  async function connect(caller: Caller, input: AgUiInput): Promise<Response | undefined> {
    const { threadId } = input.request;
    const view = await chat.view(caller, threadId);
    if (!view && input.messages.length > 0) return undefined;
    const { messages = [], pending = noPending, run } = view ?? {};
    const stored = toAgUiMessages({ messages, pending, prefix: threadId });
    const snapshot: AgUiEvent = { type: 'MESSAGES_SNAPSHOT', messages: stored };
    if (!run) return stream(from(wholeRun(input, [snapshot], pending.calls)));
    const events$ = eventsOf(run, { ...input, messages: stored });
    return stream(
      events$.pipe(concatMap((event, index) => (index === 0 ? [event, snapshot] : [event]))),
      run.replaying,
    );
  }

  async function post(caller: Caller, request: Request): Promise<Response | Refusal> {
    const read = await chat.read(request);
    if ('refusal' in read) return read.refusal;
    const input = readInput(read.json);
    if (isRefusal(input)) return input;
    const { request: given } = input;
    let run = await chat.open(caller, given);
    if (isRefusal(run) && isLate(run) && newMessage(given) && given.answers?.every(isDenial))
      run = await chat.open(caller, { ...given, answers: [] });
    if (isRefusal(run)) {
      if (run.code === 'NOTHING_NEW') return (await connect(caller, input)) ?? run;
      if (!isLate(run) && run.code !== 'SNAPSHOT_INVALID') return run;
      const view = await chat.view(caller, given.threadId);
      // The client replaces its pending calls at the end of a run only.
      return stream(from([...wholeRun(input, [], view?.pending.calls ?? []), errorOf(run)]));
    }
    if ('events$' in run) return stream(eventsOf(run, input), run.replaying);
    const { id, complete, pending } = run;
    const snapshot: AgUiEvent = { type: 'MESSAGES_SNAPSHOT', messages: withReplay(input.messages, run) };
    const message = `The run has not ended in this process (${id}). Send a new message.`;
    const failed = complete ? [] : [errorOf({ code: 'BROKEN_OFF', message })];
    return stream(from([...wholeRun(input, [snapshot], pending.calls), ...failed]));
  }

  const handle = answerSafely(log, async (request) => {
    if (request.method !== 'POST') return refuse(405, 'METHOD', 'Send a POST request with a RunAgentInput.');
    const caller = await chat.identify(request);
    if (caller instanceof Response || isRefusal(caller)) return caller;
    const [threadId, leaf] = lastSegments(request);
    if (leaf !== 'stop' || threadId === undefined) return post(caller, request);
    await chat.stop(caller, threadId);
    return new Response(null, { status: 204 });
  });

  return Object.assign(handle, {
    async threadMessages(caller: Caller, threadId: string) {
      const view = await chat.view(caller, threadId);
      return view ? toAgUiMessages({ ...view, prefix: threadId }) : [];
    },
  });
}

function wholeRun(input: AgUiInput, events: readonly AgUiEvent[], waiting: readonly ChatCall[]): readonly AgUiEvent[] {
  const {
    runId,
    request: { threadId },
  } = input;
  const shown = waiting.map((call) => ({ ...call, toolCallId: call.shown }));
  return [
    { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' },
    ...events,
    { type: 'RUN_FINISHED', threadId, runId, outcome: pendingOutcome(shown) },
  ];
}

function errorOf({ code, message }: Pick<Refusal, 'code' | 'message'>): AgUiEvent {
  return { type: 'RUN_ERROR', message, code };
}

/** The answer is for a call that is not pending any more. */
function isLate({ code }: Refusal): boolean {
  return code === 'ANSWER_UNKNOWN' || code === 'ANSWERED';
}

function isDenial({ approved }: ChatAnswer): boolean {
  return !approved;
}

function stream(events$: Observable<AgUiEvent>, replaying = () => true): Response {
  const frames$ = events$.pipe(map((event) => `data: ${JSON.stringify(event)}\n\n`));
  return new Response(sseBody(frames$, { replaying }), { headers: HEADERS });
}
