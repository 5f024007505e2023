import type { Agent } from '../agent/agent.ts';
import { editedInputError } from '../agent/suspend/edited-input.ts';
import type { Answer, Answers, Snapshot } from '../agent/suspend/snapshot.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';
import { canonicalJson } from '../events/values/canonical-json.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { sha256 } from '../events/values/sha256.ts';
import { isNamed } from './call-names.ts';
import type { ChatAnswer, ChatRequest } from './chat-request.ts';
import { newMessage } from './new-input.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { AnsweredCall, ChatCall, GivenAnswer, NamedCall } from './threads.ts';

export interface TakenAnswers {
  /** Answers for the agent, by the key of the pending call. */
  readonly answers: Answers;
  /** Results of the client's tools, by the key of the pending call. */
  readonly results: ReadonlyMap<string, ToolResult>;
  /** Approvals with their authors, for hooks and the audit log. */
  readonly approvals: readonly (GivenAnswer & JsonObject)[];
}

/** Whether a request contains answers to pending or earlier calls. */
export function hasAnswers(request: ChatRequest, clientCalls: readonly NamedCall[]): boolean {
  return (request.answers ?? []).length > 0 || resultsFor(request, clientCalls).size > 0;
}

export function answersPending(request: ChatRequest, calls: readonly ChatCall[] = []): boolean {
  const ids = new Set(calls.map(({ id }) => id));
  return (request.answers ?? []).some(({ id }) => ids.has(id)) || resultsFor(request, clientCallsIn(calls)).size > 0;
}

/**
 * Returns a digest of the answers, results and following messages. It identifies repeated answers, because clients post them again with later
 * messages.
 */
export function answersDigest(request: ChatRequest, clientCalls: readonly NamedCall[]): Promise<string> {
  const results = [...resultsFor(request, clientCalls)].map(([id, result]) => [id, { ...result }]);
  const message = newMessage(request);
  const newText = message ? [message, request.messages.length] : [];
  return sha256(canonicalJson([request.answers ?? [], results, ...newText] as unknown as JsonObject));
}

/** Returns the calls that the client executes. */
export function clientCallsIn(calls: readonly AnsweredCall[] = []): readonly NamedCall[] {
  return calls.filter(({ client }) => client);
}

/**
 * Returns the answers of a request to all pending calls. Rejects unknown and missing answers; expired ones deny the call. Calls of the client may
 * stay pending.
 */
export function takeAnswers(
  request: ChatRequest,
  calls: readonly ChatCall[],
  {
    userId,
    now,
    given: earlier,
  }: { readonly userId: string; readonly now: number; readonly given?: readonly GivenAnswer[] },
): TakenAnswers | Refusal {
  const given = new Map((request.answers ?? []).map((answer) => [answer.id, answer]));
  const unknown = [...given.keys()].find((id) => !calls.some((call) => call.id === id));
  if (unknown !== undefined) return answerRefused(unknown, earlier);
  const results = resultsFor(
    request,
    calls.filter(({ client }) => client),
  );
  const answers: Record<string, Answer> = {};
  const approvals: (GivenAnswer & JsonObject)[] = [];
  const missing: ChatCall[] = [];
  for (const call of calls) {
    const answer = answerTo(call, given.get(call.id), results, now);
    if (answer) {
      answers[call.key] = answer;
      if (!call.client)
        approvals.push(approvalOf(call, answer, { of: userId, by: isLate(call, now) ? 'hookline' : userId, now }));
    }
    // A call of the client without a result stays pending.
    else if (!call.client) missing.push(call);
  }
  if (missing.length > 0) return partial(missing);
  return { answers, results, approvals };
}

/** Returns why an edited input is not accepted, or `undefined`. The input of a sub-agent's call is not checked, because its tools are unknown. */
export async function editRefused(
  agent: Agent,
  call: Pick<ChatCall, 'agent' | 'toolCallId' | 'tool' | 'input'>,
  input: JsonObject | undefined,
): Promise<Refusal | undefined> {
  if (!input || call.agent !== agent.name) return undefined;
  const error = await editedInputError([...agent.tools, ...agent.pipeline.tools], call, input);
  return error === undefined ? undefined : refuse(422, 'INPUT_INVALID', error);
}

function answerTo(
  call: ChatCall,
  given: ChatAnswer | undefined,
  results: ReadonlyMap<string, ToolResult>,
  now: number,
): Answer | undefined {
  if (isLate(call, now)) return { approved: false, reason: 'The approval timed out.' };
  if (call.client && given?.approved !== false) return results.has(call.key) ? { approved: true } : undefined;
  if (!given) return undefined;
  const { approved, reason, input } = given;
  return { approved, ...(reason !== undefined && { reason }), ...(approved && input && { input }) };
}

function isLate({ expiresAt }: ChatCall, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}

/** Returns the approval for the audit log. `hookline` is the author if the call expired. */
function approvalOf(
  { id, toolCallId, tool, hash }: ChatCall,
  { approved, reason, input }: Answer,
  { of, by, now }: { readonly of: string; readonly by: string; readonly now: number },
): GivenAnswer & JsonObject {
  return {
    ...{ id, toolCallId, tool, hash, of, by, at: new Date(now).toISOString() },
    action: approved ? 'approve' : 'deny',
    ...(reason !== undefined && { reason }),
    ...(input && { edited: true }),
  };
}

/** Returns results by key. If calls have the same name, the latest is the pending one. */
function resultsFor({ results = [] }: ChatRequest, calls: readonly NamedCall[]): ReadonlyMap<string, ToolResult> {
  const found = calls.map(({ key, shown }) => {
    const last = results.findLast(({ toolCallId: name }) => name === shown || isNamed(name, key));
    return [key, last?.result] as const;
  });
  return new Map(found.flatMap(([key, result]) => (result ? [[key, result]] : [])));
}

/** Returns why an answer does not count. If the call was among the `given` ones that were answered last, names the first answer. */
export function answerRefused(id: string, given: readonly GivenAnswer[] = []): Refusal {
  const winner = given.find((one) => one.id === id);
  if (winner) {
    const { action, by, at } = winner;
    return refuse(409, 'ANSWERED', `The call was already answered: ${action} by "${by}" at ${at}.`);
  }
  const what = `This thread has no pending call with the ID ${JSON.stringify(id)}: it was answered or cancelled, or another call replaced it.`;
  return refuse(409, 'ANSWER_UNKNOWN', what);
}

function partial(missing: readonly ChatCall[]): Refusal {
  const names = missing.map(({ id, tool }) => `${tool} (${id})`).join(', ');
  return refuse(409, 'ANSWER_PARTIAL', `Answer all pending calls in one request. Missing: ${names}.`);
}

/** Returns the snapshot with the given approvals in the metadata of its run. */
export function withApprovals(snapshot: JsonObject, approvals: readonly JsonObject[]): JsonObject {
  if (approvals.length === 0) return snapshot;
  const { run } = snapshot as unknown as Snapshot;
  return { ...snapshot, run: { ...run, metadata: { ...run.metadata, approvals } } };
}
