import { NEVER, tap } from 'rxjs';
import type { Agent } from '../agent/agent.ts';
import { watchSafely } from '../agent/run-watcher.ts';
import type { Message } from '../events/parts/message.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { consoleLogger } from '../pipeline/logger.ts';
import { inTurn } from '../store/documents/in-turn.ts';
import { memoryStateStore } from '../store/state/memory-state-store.ts';
import { type Beginning, beginRun } from './begin-run.ts';
import { CallNames } from './call-names.ts';
import type { Chat, ChatRun } from './chat.ts';
import { type Caller, type ChatOptions, identify } from './chat-options.ts';
import { type ChatRequest, checkRequest } from './chat-request.ts';
import { readJson } from './http/read-json.ts';
import { newMessage } from './new-input.ts';
import { sessionOfThread, threadKey } from './own-session.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import { threadResumer } from './resume-thread.ts';
import { createRunFeed, type RunFeed } from './run-feed.ts';
import { storePendingCalls } from './store-pending-calls.ts';
import { answersDigest, answersPending, clientCallsIn, editRefused, hasAnswers } from './take-answers.ts';
import {
  type ChatReplay,
  replayOf,
  resumedThread,
  type StoredThread,
  startedThread,
  suspendedThread,
} from './thread-view.ts';
import { type ChatCall, type Thread, threadsIn } from './threads.ts';

const DAY_MS = 24 * 3_600_000;

/** An active run of this process. */
interface Running extends ChatRun {
  readonly feed: RunFeed;
  readonly requestId: string | undefined;
  /** Whether the run repeats the last turn. */
  readonly repeats: boolean;
  /** The prompt as hooks settled it, and whether the transcript contains it. */
  readonly started: { begun: boolean; prompt?: readonly Message[] };
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
  /** Active runs by the key of their thread, oldest first. A new message may start a run while an earlier one is active. */
  const active = new Map<string, readonly Running[]>();
  const latestOf = (key: string): Running | undefined => active.get(key)?.at(-1);
  /** A thread and its runs change together, so that requests of this process see both or neither. */
  const inTurnOf = <T>(key: string, work: () => Promise<T>): Promise<T> => inTurn(`chat ${key}`, work);

  async function open(caller: Caller, given: ChatRequest): Promise<ChatRun | ChatReplay | Refusal> {
    const request = checkRequest(given);
    if (isRefusal(request)) return request;
    const agent = await agentOf(caller);
    return inTurnOf(threadKey(caller, request.threadId), () => openWith(agent, caller, request));
  }

  async function openWith(
    agent: Agent,
    caller: Caller,
    request: ChatRequest,
    approvals?: readonly JsonObject[],
  ): Promise<Running | ChatReplay | Refusal> {
    const key = threadKey(caller, request.threadId);
    for (;;) {
      const found = await threads.find(key);
      const repeated = found && (runOf(key, request) ?? (await repeatOf(caller, found.thread, request)));
      if (repeated) return repeated;
      const id = crypto.randomUUID();
      const stop = new AbortController();
      const begun = await beginRun({
        agent,
        caller,
        request,
        thread: found?.thread,
        id,
        signal: stop.signal,
        trusted,
        ...(approvals && { approvals }),
      });
      if (isRefusal(begun)) return begun;
      // If several requests start the thread or answer its calls at once, one succeeds.
      if (await threads.write(key, begun.thread, found?.version ?? 0)) return track(caller, request, id, begun, stop);
    }
  }

  /** Returns the run that an earlier copy of this request started. */
  function runOf(key: string, { requestId, answers = [] }: ChatRequest): Running | undefined {
    const run = latestOf(key);
    const same = requestId !== undefined && requestId === run?.requestId && answers.length === 0;
    return same && run.feed.replays ? run : undefined;
  }

  /** Returns the run that the same answers resumed earlier, or its results. */
  async function repeatOf(
    caller: Caller,
    { answered, waiting }: Thread,
    request: ChatRequest,
  ): Promise<Running | ChatReplay | undefined> {
    const { threadId } = request;
    const clientCalls = clientCallsIn(answered?.calls);
    if (!answered || !hasAnswers(request, clientCalls) || answersPending(request, waiting?.calls)) return undefined;
    if ((await answersDigest(request, clientCalls)) !== answered.digest) return undefined;
    const run = latestOf(threadKey(caller, threadId));
    if (run?.id === answered.begun && run.feed.replays) return run;
    const { result } = answered;
    return result
      ? replayOf(result as Message[], { ...answered, from: 0 }, waiting)
      : replayOf(await historyOf(caller, threadId), answered, waiting);
  }

  async function agentOf(caller: Caller): Promise<Agent> {
    const agent = await (typeof options.agent === 'function' ? options.agent(caller) : options.agent);
    watchSafely(options.runs, agent, log, { resume });
    return agent;
  }

  /** With a trusted history, the client has the conversation and the server has none. */
  async function historyOf(caller: Caller, threadId: string): Promise<readonly Message[]> {
    return trusted ? [] : (await agentOf(caller)).history(sessionOfThread(caller, threadId));
  }

  function track(
    caller: Caller,
    { threadId, requestId, promptId, messages, results = [], regenerate = false }: ChatRequest,
    id: string,
    { events$, tools, named, resumes, result }: Beginning,
    stop: AbortController,
  ): Running {
    const { userId } = caller;
    const key = threadKey(caller, threadId);
    let waiting: readonly ChatCall[] = [];
    const prompt = newMessage({ messages });
    const started: Running['started'] = { begun: false };
    const noted$ = events$.pipe(
      tap((event) => {
        if (event.run.depth > 0 || event.decision?.action === 'abort') return;
        if (event.type === 'preCall') started.prompt = event.messages;
        else if (started.prompt) started.begun = true;
      }),
    );
    const kept$ = storePendingCalls(noted$, {
      ...{ threads, userId, threadId, key, tools, id, expireMs, byRun: options.runs !== undefined, log },
      ...(result && { result }),
      ...(promptId !== undefined && prompt && { prompt: { id: promptId, message: prompt } }),
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
        const others = (active.get(key) ?? []).filter((one) => one !== run);
        if (others.length > 0) active.set(key, others);
        else active.delete(key);
      },
    });
    const run: Running = {
      id,
      feed,
      requestId,
      repeats: regenerate,
      started,
      events$: feed.events$,
      replaying: () => feed.replaying,
      clientTools: new Set(tools.map(({ name }) => name)),
      named,
      ...(resumes && { resumes }),
      waiting: () => waiting,
      stop: () => stop.abort('the user stopped the run'),
    };
    active.set(key, [...(active.get(key) ?? []), run]);
    return run;
  }

  const resume = threadResumer({ threads, inTurnOf, agentOf, open: openWith });
  watchSafely(options.runs, typeof options.agent === 'function' ? NEVER : options.agent, log, { resume });

  /** Returns the thread and its active run, without the messages. */
  function stateOf(key: string) {
    return inTurnOf(key, async () => ({ found: await threads.find(key), run: latestOf(key) }));
  }

  async function storedOf(caller: Caller, threadId: string, thread: Thread, run?: Running): Promise<StoredThread> {
    const { answered, waiting } = thread;
    const history = await historyOf(caller, threadId);
    if (!run) return suspendedThread(history, waiting);
    if (run.resumes) return resumedThread(history, run.resumes, answered?.calls ?? []);
    return startedThread(history, run.repeats ? { begun: true } : run.started);
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
    running(caller, threadId) {
      const run = latestOf(threadKey(caller, threadId));
      return run?.feed.replays ? run : undefined;
    },
    async view(caller, threadId) {
      const key = threadKey(caller, threadId);
      for (;;) {
        const { found, run } = await stateOf(key);
        if (!found) return undefined;
        const begun = run?.started.begun;
        const stored = await storedOf(caller, threadId, found.thread, run);
        // If the run has progressed meanwhile, its messages may be missing or incomplete.
        if (latestOf(key) === run && run?.started.begun === begun)
          return { ...stored, ...(run?.feed.replays && { run }) };
      }
    },
    checkEdit: async (caller, call, input) => editRefused(await agentOf(caller), call, input),
    stop(caller, threadId) {
      const key = threadKey(caller, threadId);
      return inTurnOf(key, async () => {
        // The latest first, because a run starts when the one before it has ended.
        for (const run of (active.get(key) ?? []).toReversed()) run.stop();
      });
    },
    read: (request) => readJson(request, options.maxBody ?? 4 * 2 ** 20),
    identify: (request) => identify(options, request),
  };
}
