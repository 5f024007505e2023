import type { Observable } from 'rxjs';
import { of } from 'rxjs';
import type { Agent, AgentRunOptions } from '../agent/agent.ts';
import { callKey, resumedKeys } from '../agent/suspend/resumed-keys.ts';
import { parseSnapshot } from '../agent/suspend/snapshot.ts';
import { memoryTranscript } from '../agent/transcript/memory-transcript.ts';
import { HooklineError } from '../errors.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { isPrompt, textOf } from '../events/parts/messages.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { sha256 } from '../events/values/sha256.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import type { Caller } from './chat-options.ts';
import type { ChatRequest, ClientTool } from './chat-request.ts';
import { clientTools } from './client-tools.ts';
import { messageAfter, newMessage } from './new-input.ts';
import { sessionOfThread } from './own-session.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import {
  answerRefused,
  answersDigest,
  clientCallsIn,
  editRefused,
  hasAnswers,
  takeAnswers,
  withApprovals,
} from './take-answers.ts';
import type { AnsweredCall, Thread } from './threads.ts';

/** The cold run of a request, and the state of its thread. */
export interface Beginning {
  readonly events$: Observable<SettledEvent>;
  readonly thread: Thread;
  /** The client's tools in this run. */
  readonly tools: readonly ClientTool[];
  /** The client's names of the resumed calls. */
  readonly named: ReadonlyMap<string, string>;
  /** The snapshot that the run resumes. */
  readonly resumes?: JsonObject;
  /** Returns the messages of the resumed run, if the server does not store the conversation. */
  readonly result?: () => readonly Message[];
}

interface BeginningParts {
  readonly agent: Agent;
  readonly caller: Caller;
  readonly request: ChatRequest;
  readonly thread: Thread | undefined;
  readonly id: string;
  readonly signal: AbortSignal;
  /** Whether the posted conversation is trusted. */
  readonly trusted: boolean;
  /** The approvals of the answers, with their authors. Default: of the caller. */
  readonly approvals?: readonly JsonObject[];
}

/** Starts a run, or resumes the pending one of the thread, depending on the request. */
export async function beginRun(parts: BeginningParts): Promise<Beginning | Refusal> {
  const { request, thread } = parts;
  const clientCalls = clientCallsIn(thread?.waiting?.calls);
  try {
    if (thread?.waiting && hasAnswers(request, clientCalls)) return await resume(parts, thread.waiting);
    const [answer] = request.answers ?? [];
    if (answer) return answerRefused(answer.id, thread?.answered?.given);
    return request.regenerate && !parts.trusted ? await regenerate(parts) : start(parts, newMessage(request));
  } catch (thrown) {
    // Errors of the client's tools or of the snapshot.
    if (!(thrown instanceof HooklineError)) throw thrown;
    const refusals: Record<string, number> = { HOOK_DUPLICATE: 400, TOOL_INVALID: 400, SNAPSHOT_INVALID: 409 };
    const status = refusals[thrown.code];
    if (status === undefined) throw thrown;
    return refuse(status, thrown.code, thrown.message);
  }
}

/** Repeats the last turn. A prompt that the session does not contain, for example because its run was denied, starts a new turn. */
async function regenerate(parts: BeginningParts): Promise<Beginning | Refusal> {
  const { agent, caller, request } = parts;
  const prompt = newMessage(request);
  const prompts = (await agent.history(sessionOfThread(caller, request.threadId))).filter(isPrompt);
  const posted = request.messages.filter(isPrompt).length;
  const isStored = (stored: Message): boolean => !prompt || textOf(prompt) === textOf(stored);
  const last = prompts.at(-1);
  if (last && (isStored(last) || (await isChanged(last, parts)))) return start(parts);
  if (prompt && !prompts.some(isStored) && (posted === 1 || posted > prompts.length)) return start(parts, prompt);
  return refuse(
    400,
    'HISTORY_FIXED',
    'Only the last turn can be repeated, because the server stores the conversation.',
  );
}

/** Whether the stored prompt is the posted one, as hooks have changed it. */
async function isChanged(stored: Message, { thread, request }: BeginningParts): Promise<boolean> {
  const changed = thread?.changed;
  return changed !== undefined && changed.promptId === request.promptId && changed.digest === (await digestOf(stored));
}

export function digestOf(prompt: Message): Promise<string> {
  return sha256(textOf(prompt));
}

/** Without a message, the last turn is repeated, or a trusted conversation continues. */
function start(
  { agent, caller, request, thread, id, signal, trusted }: BeginningParts,
  message?: Message,
): Beginning | Refusal {
  const { regenerate = false } = request;
  if (!message && !regenerate && !(trusted && request.messages.length > 0))
    return refuse(
      400,
      'NOTHING_NEW',
      'The request contains nothing new. End it with a user message, or send answers to pending calls.',
    );
  const { tools = [] } = request;
  const run: AgentRunOptions = {
    userId: caller.userId,
    sessionId: sessionOfThread(caller, request.threadId),
    signal,
    hooks: clientTools(tools, () => undefined),
    ...(trusted && { transcript: transcriptOf(message ? request.messages.slice(0, -1) : request.messages) }),
    ...(!message && !trusted && { regenerate: true }),
  };
  // The suspended run is given up. Its calls are closed when the session is loaded.
  const next = { version: 1 as const, latest: id, ...(!message && thread?.changed && { changed: thread.changed }) };
  return { events$: agent.run(message ? [message] : [], run), thread: next, tools, named: new Map() };
}

async function resume(
  { agent, caller, request, thread, id, signal, trusted, approvals }: BeginningParts,
  waiting: NonNullable<Thread['waiting']>,
): Promise<Beginning | Refusal> {
  const given = thread?.answered?.given ?? [];
  const taken = takeAnswers(request, waiting.calls, { userId: caller.userId, now: Date.now(), given });
  if (isRefusal(taken)) return taken;
  for (const call of waiting.calls) {
    const invalid = await editRefused(agent, call, taken.answers[call.key]?.input);
    if (invalid) return invalid;
  }
  const offered = request.tools ?? [];
  const tools = [...offered, ...waiting.tools.filter(({ name }) => !offered.some((tool) => tool.name === name))];
  const keys = resumedKeys(waiting.snapshot);
  const newPrompt = messageAfter(request, new Set(waiting.calls.map(({ toolCallId }) => toolCallId)));
  const kept = memoryTranscript();
  const events$ = agent.resume(withApprovals(waiting.snapshot, approvals ?? taken.approvals), taken.answers, {
    signal,
    hooks: clientTools(tools, ({ run, toolCall }) =>
      taken.results.get(keys.get(callKey(run.resumedFrom ?? '', toolCall.id)) ?? ''),
    ),
    ...(newPrompt && { steering$: of(newPrompt) }),
    ...(trusted && { transcript: kept }),
  });
  const digest = await answersDigest(request, clientCallsIn(waiting.calls));
  const { transcript, pending, run } = parseSnapshot(waiting.snapshot);
  const own = new Set(pending.map(({ key }) => key));
  const asked = new Set(waiting.calls.map(({ key }) => key));
  const parents = pending.flatMap(({ key, toolCall }) =>
    asked.has(key) ? [] : [{ key, shown: toolCall.id, toolCallId: toolCall.id, client: false }],
  );
  const calls = waiting.calls.map(({ key, shown, toolCallId, client }): AnsweredCall => {
    return { key, shown, toolCallId, client, ...(!own.has(key) && { inner: true }) };
  });
  const first = taken.approvals.map(({ id, hash, action, by, at }) => {
    const author = approvals?.find((one) => one['hash'] === hash)?.['by'];
    return { id, action, by: typeof author === 'string' ? author : by, at };
  });
  const answered = { digest, given: first, calls: [...parents, ...calls], begun: id, from: transcript.length };
  const shown = new Map(waiting.calls.map((call) => [call.key, call.shown]));
  const named = new Map(
    [...keys].flatMap(([place, key]) => (shown.has(key) ? [[place, shown.get(key) as string]] : [])),
  );
  const changed = thread?.changed;
  const next = { version: 1 as const, latest: id, ...(changed && { changed }), answered };
  const result = () => (kept.sessions.get(run.sessionId) ?? []).slice(transcript.length);
  return { events$, thread: next, tools, named, resumes: waiting.snapshot, ...(trusted && { result }) };
}

/** Returns the posted conversation as a transcript store for one run. */
function transcriptOf(messages: readonly Message[]): TranscriptStore {
  const transcript = memoryTranscript();
  let isLoaded = false;
  return {
    ...transcript,
    load(sessionId) {
      if (!isLoaded) transcript.append(sessionId, messages);
      isLoaded = true;
      return transcript.load(sessionId);
    },
  };
}
