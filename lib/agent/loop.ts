import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { Abort } from '../events/decisions/decision.ts';
import { INTERRUPTED } from '../events/parts/interrupted.ts';
import type { Message, ToolResultPart } from '../events/parts/message.ts';
import { systemMessage, toolCallsOf, userMessage } from '../events/parts/messages.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import { addUsage, type Usage } from '../events/parts/usage.ts';
import type { PostReasoning } from '../events/post-reasoning.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import { CANCELLED, type Process, wait } from '../pipeline/flow/drive.ts';
import type { CallEnding, Run } from '../pipeline/run/run.ts';
import { actBatch, type Batch, emptyBatch } from './act-batch.ts';
import type { AgentOptions } from './agent.ts';
import type { Control } from './control.ts';
import { collectResults, type PhaseResults } from './phase-results.ts';
import { approversInForce } from './suspend/missing-approvers.ts';
import type { Resumption } from './suspend/resumption.ts';
import { SNAPSHOT_VERSION, type Snapshot } from './suspend/snapshot.ts';
import { toolMessage } from './transcript/close-orphans.ts';
import type { Conversation } from './transcript/conversation.ts';
import { withResults } from './transcript/with-results.ts';

/** The dependencies of one run of the loop. */
export interface LoopScope {
  readonly run: Run;
  readonly agent: AgentOptions;
  readonly tools: readonly Tool[];
  /** The tool descriptions for models. */
  readonly described: readonly ToolDescription[];
  readonly conversation: Conversation;
  readonly control: Control;
  readonly maxIterations: number;
  readonly input: readonly Message[];
  readonly resumption: Resumption | undefined;
  usage: Usage | undefined;
}

const EXHAUSTED =
  'The step limit is reached. Without calling tools, report what you found and what remains to be done.';

/**
 * The ReAct loop: sends model requests and runs the requested tools. It ends when the model replies, a hook decides otherwise, or the limit is
 * reached.
 */
export function* loop(scope: LoopScope): Process<CallEnding> {
  const { run, conversation, control, resumption } = scope;
  const begun = yield* collectResults(run.begin(scope.input), run.info.runId);
  if (run.lifetime.cancelled) {
    // Remembers only settled messages. After a cancel, the remaining hooks have not checked any other.
    if (begun.preCall) conversation.remember(...withResults(begun.preCall.messages));
    throw CANCELLED;
  }
  if (begun.abort) return aborted(scope, begun.abort);
  if (run.fatal !== undefined) return failed(scope);
  if (begun.preCall) conversation.remember(...withResults(begun.preCall.messages));
  const decision = begun.preCall?.decision;
  if (decision?.action === 'respond') return { outcome: 'responded', message: decision.message };

  if (resumption) {
    const ending = yield* act(scope, resumption);
    if (ending) return ending;
  }
  for (;;) {
    conversation.remember(...withResults(control.takeSteering()));
    const written = conversation.commit();
    if (written) yield* wait(written);
    if (run.lifetime.cancelled) throw CANCELLED;
    if (control.graceful) return yield* summarise(scope, INTERRUPTED, 'finished');
    if (run.iteration >= scope.maxIterations) return yield* summarise(scope, EXHAUSTED, 'exhausted');

    const results = yield* reason(scope, 'step');
    const post = results.postReasoning;
    if (results.abort) {
      if (post) yield* keep(scope, post);
      return aborted(scope, results.abort);
    }
    if (!post) return failed(scope);
    if (post.decision?.action === 'retry') {
      const ending = yield* skipCalls(scope, post, `hook "${post.decision.by}" asked the model to reason again`);
      if (ending) return ending;
      conversation.remember(...withResults(post.decision.messages));
      continue;
    }
    if (post.decision?.action === 'finish') {
      return (yield* keep(scope, post)) ?? { outcome: 'finished', message: post.message };
    }
    const calls = toolCallsOf(post.message);
    if (calls.length === 0) {
      if (!control.steered)
        return { outcome: post.finishReason === 'responded' ? 'responded' : 'completed', message: post.message };
      conversation.remember(post.message);
      continue;
    }
    conversation.remember(post.message);
    const ending = yield* act(scope, {
      message: post.message,
      start: conversation.length,
      calls: calls.map((toolCall) => ({ toolCall, key: `${run.info.runId}/${toolCall.id}` })),
      batch: emptyBatch,
      steering: [],
    });
    if (ending) return ending;
  }
}

function* reason(scope: LoopScope, purpose: 'step' | 'summary', hint?: string): Process<PhaseResults> {
  const { run, agent, conversation } = scope;
  const before = agent.instructions ? [systemMessage(agent.instructions)] : [];
  const after = hint === undefined ? [] : [{ ...userMessage(hint), origin: 'hookline' }];
  const request = {
    messages: conversation.between(before, after),
    ...(purpose === 'step' && { tools: scope.described }),
    ...(agent.modelOptions && { options: agent.modelOptions }),
    purpose,
  };
  const results = yield* collectResults(run.reason(request, agent.model), run.info.runId);
  if (!results.postReasoning) {
    // The next prompt must include the partial reply that was shown.
    const partial = run.unfinished();
    if (partial) conversation.remember(partial);
  }
  scope.usage = addUsage(addUsage(scope.usage, results.childUsage), results.postReasoning?.usage);
  if (!run.lifetime.cancelled) return results;
  // A settled message was shown, so it is part of the conversation.
  if (results.postReasoning)
    yield* skipCalls(scope, results.postReasoning, run.lifetime.reason ?? 'the run was cancelled');
  throw CANCELLED;
}

/** Runs the calls of `message` and remembers their results, before later messages. Returns the ending if the run ends. */
function* act(
  scope: LoopScope,
  { message, start, calls, batch: begun, steering: later }: Omit<Resumption, 'approvers'>,
): Process<CallEnding | undefined> {
  const { run, agent, conversation, control } = scope;
  conversation.cut(start);
  const { toolConcurrency: concurrency = 4, parallel = 'reads' } = agent;
  const options = { concurrency, parallel, hold: () => control.hold };
  let batch = begun;
  try {
    batch = yield* actBatch(scope, calls, scope.tools, options, begun);
    // If the run ends, its pending calls end, too.
    const ends = batch.abort || run.fatal !== undefined || run.lifetime.cancelled;
    if (ends && batch.pending.length > 0) batch = yield* closePending(scope, batch);
  } finally {
    conversation.cut(start);
    const order = new Map(toolCallsOf(message).map(({ id }, place) => [id, place]));
    const placeOf = ({ toolCallId }: ToolResultPart) => order.get(toolCallId) ?? -1;
    const parts = [...batch.results].sort((a, b) => placeOf(a) - placeOf(b));
    if (parts.length > 0) conversation.remember(toolMessage(parts));
    conversation.remember(...later);
  }
  if (run.lifetime.cancelled) throw CANCELLED;
  if (batch.abort) return aborted(scope, batch.abort);
  if (run.fatal !== undefined) return failed(scope);
  if (batch.pending.length > 0) {
    const steering = withResults(control.takeSteering());
    conversation.remember(...steering);
    return { outcome: 'suspended', snapshot: snapshot(scope, message, start, batch, [...later, ...steering]) };
  }
  if (batch.finishing) return { outcome: 'finished' };
  if (control.steered || control.graceful || later.length > 0) return undefined;
  if (batch.handled) return { outcome: 'finished' };
  return undefined;
}

function* closePending(scope: LoopScope, batch: Batch): Process<Batch> {
  const why = batch.abort ? `hook "${batch.abort.by}" ended the run` : 'the run has ended';
  const options = { concurrency: 1, parallel: 'all', hold: () => why } as const;
  return yield* actBatch(scope, batch.pending, scope.tools, options, { ...batch, pending: [] });
}

function* summarise(scope: LoopScope, hint: string, outcome: 'finished' | 'exhausted'): Process<CallEnding> {
  for (;;) {
    const results = yield* reason(scope, 'summary', hint);
    const post = results.postReasoning;
    if (results.abort) {
      if (post) scope.conversation.remember(post.message);
      return aborted(scope, results.abort);
    }
    if (!post) return failed(scope);
    if (post.decision?.action !== 'retry') return { outcome, message: post.message };
    scope.conversation.remember(post.message, ...withResults(post.decision.messages));
  }
}

/** Remembers a message whose calls must not run. Each is closed with `why` in its result. */
function* skipCalls(scope: LoopScope, post: PostReasoning, why: string): Process<CallEnding | undefined> {
  const { run, conversation } = scope;
  conversation.remember(post.message);
  const calls = toolCallsOf(post.message).map((toolCall) => ({ toolCall, key: toolCall.id }));
  if (calls.length === 0) return undefined;
  const options = { concurrency: 1, parallel: 'all', hold: () => why } as const;
  const batch = yield* actBatch(scope, calls, scope.tools, options);
  conversation.remember(toolMessage(batch.results));
  if (run.lifetime.cancelled) throw CANCELLED;
  if (batch.abort) return aborted(scope, batch.abort);
  return run.fatal === undefined ? undefined : failed(scope);
}

/** Remembers the message with which a hook ended the run. Its calls do not run. */
function* keep(scope: LoopScope, post: PostReasoning): Process<CallEnding | undefined> {
  return yield* skipCalls(scope, post, `hook "${post.decision?.by}" ended the run`);
}

function aborted({ conversation, control }: LoopScope, { reason, by, rollback }: Abort): CallEnding {
  if (rollback) {
    conversation.rollback();
    control.takeSteering();
  }
  return { outcome: 'aborted', reason: `hook "${by}": ${reason}` };
}

function failed({ run }: LoopScope): CallEnding {
  const { fatal } = run;
  if (run.recovered) return { outcome: 'responded', message: run.recovered };
  return { outcome: 'failed', reason: messageOf(fatal) };
}

function snapshot(scope: LoopScope, message: Message, start: number, batch: Batch, steering: Message[]): JsonObject {
  const { run, conversation, resumption } = scope;
  const before = resumption?.message === message ? resumption.approvers : [];
  const usage = addUsage(scope.usage, run.askedUsage);
  if (conversation.messages[start - 1] !== message) {
    throw new HooklineError(
      'SNAPSHOT_INVALID',
      'The message with the pending calls is not the last message of the conversation.',
    );
  }
  const taken: Snapshot = {
    version: SNAPSHOT_VERSION,
    run: run.info,
    transcript: [...conversation.messages.slice(0, start)],
    settled: [...batch.results],
    finishing: batch.finishing,
    pending: [...batch.pending],
    approvers: approversInForce(run, before),
    ...(steering.length > 0 && { steering }),
    state: run.state(),
    iteration: run.iteration,
    maxIterations: scope.maxIterations,
    ...(run.retries > 0 && { retries: run.retries }),
    ...(usage && { usage }),
  };
  return taken as unknown as JsonObject;
}
