import { z } from 'zod';
import type { Agent } from '../agent/agent.ts';
import { HooklineError } from '../errors.ts';
import type { Message } from '../events/parts/message.ts';
import { userOf } from '../events/parts/user-of.ts';
import { consoleLogger } from '../pipeline/logger.ts';
import { memoryStateStore } from '../store/state/memory-state-store.ts';
import { type Beginning, beginRun } from './begin-run.ts';
import { CallNames } from './call-names.ts';
import type { Chat, ChatRun } from './chat.ts';
import type { Caller, ChatOptions } from './chat-options.ts';
import { type ChatRequest, chatRequestSchema } from './chat-request.ts';
import { sessionOfThread } from './own-session.ts';
import { readJson } from './read-json.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { createRunFeed, type RunFeed } from './run-feed.ts';
import { storePendingCalls } from './store-pending-calls.ts';
import { answersDigest, answersPending, clientCallsIn, hasAnswers } from './take-answers.ts';
import { type ChatReplay, messagesBefore, noPending, replayOf, shownMessages, suspendedThread } from './thread-view.ts';
import { type ChatCall, type Thread, threadsIn } from './threads.ts';

const DAY_MS = 24 * 3_600_000;

/** An active run of this process. */
interface Running extends ChatRun {
  readonly feed: RunFeed;
  readonly requestId: string | undefined;
  stop(): void;
}

/** Creates the base of a chat protocol. The protocol has validated `ChatOptions`. */
export function createChat(options: ChatOptions): Chat {
  const {
    store = memoryStateStore(),
    log = consoleLogger,
    expireMs = 7 * DAY_MS,
    keepMs = 30 * DAY_MS,
    trustClientHistory: trusted = false,
  } = options;
  const threads = threadsIn(store, Math.max(keepMs, expireMs));
  /** Active runs by thread. */
  const running = new Map<string, Running>();

  async function open(caller: Caller, given: ChatRequest): Promise<ChatRun | ChatReplay | Refusal> {
    const request = parse(given);
    if (isRefusal(request)) return request;
    const agent = await agentOf(caller);
    for (;;) {
      const found = await threads.find(request.threadId);
      if (found && found.thread.userId !== caller.userId) return notYours();
      const repeated = found && (runOf(request) ?? (await repeatOf(caller, found.thread, request)));
      if (repeated) return repeated;
      const id = crypto.randomUUID();
      const stop = new AbortController();
      const begun = await beginRun({ agent, caller, request, thread: found?.thread, id, signal: stop.signal, trusted });
      if (isRefusal(begun)) return begun;
      // If several requests start the thread or answer its calls at once, one succeeds.
      if (await threads.write(request.threadId, begun.thread, found?.version ?? 0))
        return track(request, id, begun, stop);
    }
  }

  /** Returns the run that an earlier copy of this request started. */
  function runOf({ threadId, requestId, answers = [] }: ChatRequest): ChatRun | undefined {
    const run = running.get(threadId);
    const same = requestId !== undefined && requestId === run?.requestId && answers.length === 0;
    return same && run.feed.replays ? run : undefined;
  }

  /** Returns the run that the same answers resumed earlier, or its results. */
  async function repeatOf(
    caller: Caller,
    { answered, waiting }: Thread,
    request: ChatRequest,
  ): Promise<ChatRun | ChatReplay | undefined> {
    const { threadId } = request;
    const clientCalls = clientCallsIn(answered?.calls);
    if (!answered || !hasAnswers(request, clientCalls) || answersPending(request, waiting?.calls)) return undefined;
    if ((await answersDigest(request, clientCalls)) !== answered.digest) return undefined;
    const run = running.get(threadId);
    if (run?.id === answered.begun && run.feed.replays) return run;
    return replayOf(await historyOf(caller, threadId), answered, waiting);
  }

  async function agentOf(caller: Caller): Promise<Agent> {
    const { agent } = options;
    return typeof agent === 'function' ? agent(caller) : agent;
  }

  /** With a trusted history, the client has the conversation and the server has none. */
  async function historyOf(caller: Caller, threadId: string): Promise<readonly Message[]> {
    return trusted ? [] : (await agentOf(caller)).history(sessionOfThread(caller, threadId));
  }

  function track(
    { threadId, requestId, results = [] }: ChatRequest,
    id: string,
    { events$, tools, named, resumes }: Beginning,
    stop: AbortController,
  ): ChatRun {
    let waiting: readonly ChatCall[] = [];
    const kept$ = storePendingCalls(events$, {
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
        if (options.onDisconnect === 'cancel') stop.abort('the client disconnected');
      },
      onEnd() {
        if (running.get(threadId) === run) running.delete(threadId);
      },
    });
    const run: Running = {
      id,
      feed,
      requestId,
      events$: feed.events$,
      replaying: () => feed.replaying,
      clientTools: new Set(tools.map(({ name }) => name)),
      named,
      ...(resumes && { resumes }),
      waiting: () => waiting,
      stop: () => stop.abort('the user stopped the run'),
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
        return refuse(500, 'FAILED', 'The request failed. See the server log.');
      }
    },
    async running(caller, threadId) {
      const run = running.get(threadId);
      if (!run?.feed.replays) return undefined;
      const found = await threads.find(threadId);
      return found?.thread.userId === caller.userId ? run : notYours();
    },
    async view(caller, threadId) {
      const found = await threads.find(threadId);
      if (!found) return undefined;
      const { userId, answered, waiting } = found.thread;
      if (userId !== caller.userId) return notYours();
      const run = running.get(threadId);
      const history = await historyOf(caller, threadId);
      if (!run) return suspendedThread(history, waiting);
      const before = messagesBefore(history, run.resumes && answered?.calls);
      return { messages: shownMessages(before), pending: noPending, ...(run.feed.replays && { run }) };
    },
    async stop(caller, threadId) {
      const found = await threads.find(threadId);
      if (found && found.thread.userId !== caller.userId) return notYours();
      running.get(threadId)?.stop();
      return undefined;
    },
    read: (request) => readJson(request, options.maxBody ?? 4 * 2 ** 20),
    async identify(request) {
      try {
        const caller = await options.identify(request);
        if (caller instanceof Response) return caller;
        if (caller === undefined) return refuse(401, 'UNAUTHORIZED', 'Authentication is required.');
        if (typeof caller?.userId === 'string' && userOf(caller) !== undefined) return caller;
        throw new HooklineError(
          'OPTIONS_INVALID',
          'identify(request) must return { userId }, a Response or undefined.',
        );
      } catch (err) {
        log.error({ err }, 'identify(request) failed');
        return refuse(500, 'FAILED', 'The request failed. See the server log.');
      }
    },
  };
}

function parse(given: ChatRequest): ChatRequest | Refusal {
  const parsed = chatRequestSchema.safeParse(given);
  if (parsed.success) return parsed.data as ChatRequest;
  return refuse(400, 'BODY_INVALID', `The request is invalid: ${z.prettifyError(parsed.error)}`);
}

function notYours(): Refusal {
  return refuse(403, 'THREAD_OF_ANOTHER', 'This thread belongs to another user. Start a new thread.');
}
