import type { Observable } from 'rxjs';
import { of } from 'rxjs';
import { z } from 'zod';
import type { Agent, AgentRunOptions } from '../agent/agent.ts';
import { callKey, resumedKeys } from '../agent/suspend/resumed-keys.ts';
import { memoryTranscript } from '../agent/transcript/memory-transcript.ts';
import type { TranscriptStore } from '../agent/transcript/transcript-store.ts';
import { HooklineError } from '../errors.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { consoleLogger } from '../pipeline/logger.ts';
import { memoryStateStore } from '../store/state/memory-state-store.ts';
import { CallNames } from './call-names.ts';
import type { Chat, ChatRun } from './chat.ts';
import type { Caller, ChatOptions } from './chat-options.ts';
import { type ChatRequest, type ClientTool, chatRequestSchema } from './chat-request.ts';
import { clientTools } from './client-tools.ts';
import { keepWhatWaits } from './keep-what-waits.ts';
import { messageAfter, newMessage } from './new-input.ts';
import { ownSession } from './own-session.ts';
import { readJson } from './read-json.ts';
import { isRefusal, type Refusal, refusalResponse, refuse } from './refusal.ts';
import { createRunFeed, type RunFeed } from './run-feed.ts';
import {
  answersDigest,
  clientCallsOf,
  saysSomething,
  saysToWaiting,
  takeAnswers,
  withApprovals,
} from './take-answers.ts';
import { type ChatCall, type Thread, threadsIn } from './threads.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/** What a request begins: the run, which is cold, and how the thread stands then. */
interface Beginning {
  readonly events$: Observable<SettledEvent>;
  readonly thread: Thread;
  /** The client's tools that it is offered. */
  readonly tools: readonly ClientTool[];
  /** The names on the screen of the calls that it goes on with. */
  readonly named: ReadonlyMap<string, string>;
  /** The snapshot that it goes on from. */
  readonly resumes?: JsonObject;
}

/** A run of this process. */
interface Running extends ChatRun {
  readonly feed: RunFeed;
}

/** Makes the ground that a wire stands on; see `ChatOptions`, which the wire has checked. */
export function createChat(options: ChatOptions): Chat {
  const { store = memoryStateStore(), log = consoleLogger, expireMs = WEEK_MS } = options;
  const threads = threadsIn(store);
  /** By thread. */
  const running = new Map<string, Running>();

  async function open(caller: Caller, given: ChatRequest): Promise<ChatRun | Refusal> {
    const request = parse(given);
    if (isRefusal(request)) return request;
    const { agent: known } = options;
    const agent = typeof known === 'function' ? await known(caller) : known;
    for (;;) {
      const found = await threads.find(request.threadId);
      if (found && found.thread.userId !== caller.userId) return notYours();
      const repeated = found && (await repeatOf(found.thread, request));
      if (repeated) return repeated;
      const id = crypto.randomUUID();
      const stop = new AbortController();
      const begun = await begin({ agent, caller, request, thread: found?.thread, id, signal: stop.signal });
      if (isRefusal(begun)) return begun;
      // Of all who begin the thread, or answer its calls, at once, one does.
      if (await threads.write(request.threadId, begun.thread, found?.version ?? 0))
        return track(request, id, { ...begun, traces$: agent.pipeline.traces$ }, stop);
    }
  }

  /** The same answers again: the run that they have begun. */
  async function repeatOf(thread: Thread, request: ChatRequest): Promise<ChatRun | Refusal | undefined> {
    const { answered } = thread;
    if (!answered || !saysSomething(request, answered.clientCalls) || saysToWaiting(request, thread)) return undefined;
    if ((await answersDigest(request, answered.clientCalls)) !== answered.digest) return undefined;
    const run = running.get(request.threadId);
    if (run?.id === answered.begun && run.feed.replays) return run;
    const what = 'This was answered already, and what it began has ended or goes on elsewhere. Send a new message.';
    return refuse(409, 'ANSWERED', what);
  }

  async function begin(parts: BeginningParts): Promise<Beginning | Refusal> {
    const { request, thread } = parts;
    const clientCalls = thread ? clientCallsOf(thread) : [];
    try {
      if (thread?.waiting && saysSomething(request, clientCalls)) return await resume(parts, thread, thread.waiting);
      if (request.answers?.length) return refuse(409, 'ANSWER_UNKNOWN', 'No call waits in this thread.');
      return start(parts);
    } catch (thrown) {
      // What is wrong with the client's tools, or with what waits.
      if (!(thrown instanceof HooklineError)) throw thrown;
      const refusals: Record<string, number> = { HOOK_DUPLICATE: 400, TOOL_INVALID: 400, SNAPSHOT_INVALID: 409 };
      const status = refusals[thrown.code];
      if (status === undefined) throw thrown;
      return refuse(status, thrown.code, thrown.message);
    }
  }

  function start({ agent, caller, request, id, signal }: BeginningParts): Beginning | Refusal {
    const trusted = options.trustClientHistory === true;
    const message = newMessage(request);
    if (!message && !(trusted && request.messages.length > 0))
      return refuse(
        400,
        'NOTHING_NEW',
        "Nothing is new: the last message must be the user's, or answers must be given.",
      );
    const { tools = [] } = request;
    const run: AgentRunOptions = {
      userId: caller.userId,
      sessionId: caller.sessionId ?? ownSession(caller.userId, request.threadId),
      signal,
      hooks: clientTools(tools, () => undefined),
      ...(trusted && { transcript: transcriptOf(message ? request.messages.slice(0, -1) : request.messages) }),
    };
    // A run that waited is given up: its calls are closed when the session is loaded.
    return { events$: agent.run(message ? [message] : [], run), thread: threadOf(caller, id), tools, named: new Map() };
  }

  async function resume(
    { agent, caller, request, id, signal }: BeginningParts,
    thread: Thread,
    waiting: NonNullable<Thread['waiting']>,
  ): Promise<Beginning | Refusal> {
    const taken = takeAnswers(request, waiting.calls, { userId: caller.userId, now: Date.now() });
    if (isRefusal(taken)) return taken;
    const offered = request.tools ?? [];
    const tools = [...offered, ...waiting.tools.filter(({ name }) => !offered.some((tool) => tool.name === name))];
    const keys = resumedKeys(waiting.snapshot);
    const said = messageAfter(request, new Set(waiting.calls.map(({ toolCallId }) => toolCallId)));
    const events$ = agent.resume(withApprovals(waiting.snapshot, taken.approvals), taken.answers, {
      signal,
      hooks: clientTools(tools, ({ run, toolCall }) =>
        taken.results.get(keys.get(callKey(run.resumedFrom ?? '', toolCall.id)) ?? ''),
      ),
      ...(said && { steering$: of(said) }),
      ...(options.trustClientHistory && { transcript: memoryTranscript() }),
    });
    const clientCalls = [...clientCallsOf(thread)];
    const answered = { digest: await answersDigest(request, clientCalls), clientCalls, begun: id };
    const shown = new Map(waiting.calls.map((call) => [call.key, call.shown]));
    const named = new Map(
      [...keys].flatMap(([place, key]) => (shown.has(key) ? [[place, shown.get(key) as string]] : [])),
    );
    return { events$, thread: { ...threadOf(caller, id), answered }, tools, named, resumes: waiting.snapshot };
  }

  function track(
    { threadId, results = [] }: ChatRequest,
    id: string,
    { events$, tools, named, resumes, traces$ }: Beginning & Pick<ChatRun, 'traces$'>,
    stop: AbortController,
  ): ChatRun {
    let waiting: readonly ChatCall[] = [];
    const kept$ = keepWhatWaits(events$, {
      ...{ threads, threadId, tools, id, expireMs, log },
      names: new CallNames(
        results.map(({ toolCallId }) => toolCallId),
        named,
      ),
      onWaiting(calls) {
        waiting = calls;
      },
    });
    const feed = createRunFeed({
      events$: kept$,
      maxReplay: options.maxReplay ?? 8_000_000,
      onUnwatched() {
        if (options.onDisconnect === 'cancel') stop.abort('the client has left');
      },
      onEnd() {
        if (running.get(threadId) === run) running.delete(threadId);
      },
    });
    const run: Running = {
      id,
      feed,
      events$: feed.events$,
      traces$,
      clientTools: new Set(tools.map(({ name }) => name)),
      named,
      ...(resumes && { resumes }),
      waiting: () => waiting,
    };
    running.set(threadId, run);
    return run;
  }

  return {
    async open(caller, request) {
      try {
        return await open(caller, request);
      } catch (err) {
        log.error({ err, threadId: request.threadId }, 'a chat could not be opened');
        return refuse(500, 'FAILED', 'The request failed. The log of the server says why.');
      }
    },
    async running(caller, threadId) {
      const run = running.get(threadId);
      if (!run?.feed.replays) return undefined;
      const found = await threads.find(threadId);
      return found?.thread.userId === caller.userId ? run : notYours();
    },
    read: (request) => readJson(request, options.maxBody ?? 4 * 2 ** 20),
    async identify(request) {
      try {
        const caller = await options.identify(request);
        if (caller instanceof Response) return caller;
        if (caller === undefined) return refusalResponse(refuse(401, 'UNAUTHORIZED', 'Who asks is not known.'));
        if (typeof caller?.userId === 'string' && caller.userId !== '') return caller;
        throw new HooklineError('OPTIONS_INVALID', 'identify(request) must give { userId }, a Response, or undefined.');
      } catch (err) {
        log.error({ err }, 'identify(request) failed');
        return refusalResponse(refuse(500, 'FAILED', 'The request failed. The log of the server says why.'));
      }
    },
  };
}

interface BeginningParts {
  readonly agent: Agent;
  readonly caller: Caller;
  readonly request: ChatRequest;
  readonly thread: Thread | undefined;
  readonly id: string;
  readonly signal: AbortSignal;
}

function parse(given: ChatRequest): ChatRequest | Refusal {
  const parsed = chatRequestSchema.safeParse(given);
  if (parsed.success) return parsed.data as ChatRequest;
  return refuse(400, 'BODY_INVALID', `The request does not fit: ${z.prettifyError(parsed.error)}`);
}

function threadOf({ userId }: Caller, latest: string): Thread {
  return { version: 1, userId, latest };
}

function notYours(): Refusal {
  return refuse(403, 'THREAD_OF_ANOTHER', 'This thread belongs to another user. Begin one of your own.');
}

/** A conversation that the client has told, for one run. */
function transcriptOf(messages: readonly Message[]): TranscriptStore {
  const transcript = memoryTranscript();
  let told = false;
  return {
    ...transcript,
    load(sessionId) {
      if (!told) transcript.append(sessionId, messages);
      told = true;
      return transcript.load(sessionId);
    },
  };
}
