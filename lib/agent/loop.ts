import { messageOf } from '../errors/describe-thrown.ts';
import type { Abort } from '../events/decisions/decision.ts';
import { INTERRUPTED } from '../events/parts/interrupted.ts';
import type { Message } from '../events/parts/message.ts';
import { systemMessage, toolCallsOf, userMessage } from '../events/parts/messages.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import { addUsage, type Usage } from '../events/parts/usage.ts';
import type { Tool } from '../pipeline/define/tool.ts';
import { CANCELLED, type Process, wait } from '../pipeline/flow/drive.ts';
import type { CallEnding, Run } from '../pipeline/run/run.ts';
import { actBatch, type Batch, emptyBatch } from './act-batch.ts';
import type { AgentOptions } from './agent.ts';
import type { Control } from './control.ts';
import { collectResults, type PhaseResults } from './phase-results.ts';
import { type OpenCalls, type Recovery, type Reply, storeOpen } from './recover/recovery.ts';
import type { Resumption } from './suspend/resumption.ts';
import { takeSnapshot } from './suspend/take-snapshot.ts';
import { closeOrphans, resultsMessage } from './transcript/close-orphans.ts';
import type { Conversation } from './transcript/conversation.ts';
import { withResults } from './transcript/with-results.ts';

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
  readonly recovery: Recovery | undefined;
  usage: Usage | undefined;
}

const EXHAUSTED =
  'The step limit is reached. Without calling tools, report what you found and what remains to be done.';

/**
 * The ReAct loop: sends model requests and runs the requested tools. It ends when the model replies, a hook decides otherwise, or the limit is
 * reached.
 */
export function* loop(scope: LoopScope): Process<CallEnding> {
  const { run, conversation, control, resumption, recovery } = scope;
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
  if (recovery) {
    const ending = yield* recover(scope, recovery);
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
    if (!post) return results.abort ? aborted(scope, results.abort) : failed(scope);
    const ending = yield* proceed(scope, post, results.abort);
    if (ending) return ending;
  }
}

/** Continues a run that was cut off, up to its next model step. */
function* recover(scope: LoopScope, recovery: Recovery): Process<CallEnding | undefined> {
  const { conversation, run } = scope;
  const { reply, abort, summary, open } = recovery;
  const written = reply && open && storeOpen(conversation, recovery);
  if (written) yield* wait(written);
  if (run.lifetime.cancelled) throw CANCELLED;
  if (reply) conversation.cut(recovery.at);
  const limit = run.iteration >= scope.maxIterations;
  if (reply && summary && !abort) return { outcome: limit ? 'exhausted' : 'finished', message: reply.message };
  if (reply) return yield* proceed(scope, reply, abort, open);
  if (abort) return aborted(scope, abort);
  if (!summary) return undefined;
  return yield* limit ? summarise(scope, EXHAUSTED, 'exhausted') : summarise(scope, INTERRUPTED, 'finished');
}

/** Does what follows a reply of the model. `open` is the state of its calls, if some have begun. Returns the ending if the run ends. */
function* proceed(
  scope: LoopScope,
  post: Reply,
  abort: Abort | undefined,
  open?: OpenCalls,
): Process<CallEnding | undefined> {
  const { run, conversation, control } = scope;
  const { decision } = post;
  const ended = `hook "${(abort ?? decision)?.by}" ended the run`;
  if (abort) {
    yield* skipCalls(scope, post, ended, open);
    return aborted(scope, abort);
  }
  if (decision?.action === 'retry') {
    const ending = yield* skipCalls(scope, post, `hook "${decision.by}" asked the model to reason again`, open);
    if (!ending) conversation.remember(...withResults(decision.messages));
    return ending;
  }
  if (decision?.action === 'finish')
    return (yield* skipCalls(scope, post, ended, open)) ?? { outcome: 'finished', message: post.message };
  const calls = toolCallsOf(post.message);
  if (calls.length === 0 && !control.steered)
    return { outcome: post.finishReason === 'responded' ? 'responded' : 'completed', message: post.message };
  conversation.remember(post.message);
  if (calls.length === 0) return undefined;
  return yield* act(scope, {
    message: post.message,
    start: conversation.length,
    calls: calls.map((toolCall) => ({ toolCall, key: `${run.info.runId}/${toolCall.id}` })),
    batch: emptyBatch,
    steering: [],
    ...open,
  });
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
  const { run, agent, conversation, control, resumption } = scope;
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
    const results = batch.results.length > 0 ? [resultsMessage(message, batch.results)] : [];
    // If a call threw, nobody will close the others.
    const closed = batch.pending.length > 0 ? results : closeOrphans([message, ...results]).slice(1);
    conversation.remember(...closed, ...later);
  }
  if (run.lifetime.cancelled) throw CANCELLED;
  if (batch.abort) return aborted(scope, batch.abort);
  if (run.fatal !== undefined) return failed(scope);
  if (batch.pending.length > 0) {
    const steering = withResults(control.takeSteering());
    conversation.remember(...steering);
    const approvers = resumption?.message === message ? resumption.approvers : [];
    const from = { message, start, batch, approvers, steering: [...later, ...steering] };
    return { outcome: 'suspended', snapshot: takeSnapshot(scope, from) };
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
function* skipCalls(
  scope: LoopScope,
  { message }: Pick<Reply, 'message'>,
  why: string,
  open?: OpenCalls,
): Process<CallEnding | undefined> {
  const { run, conversation } = scope;
  conversation.remember(message);
  const calls = toolCallsOf(message).map((toolCall) => ({ toolCall, key: toolCall.id }));
  if (calls.length === 0) return undefined;
  const options = { concurrency: 1, parallel: 'all', hold: () => why } as const;
  const batch = yield* actBatch(scope, open?.calls ?? calls, scope.tools, options, open?.batch);
  conversation.remember(resultsMessage(message, batch.results));
  if (run.lifetime.cancelled) throw CANCELLED;
  if (batch.abort) return aborted(scope, batch.abort);
  return run.fatal === undefined ? undefined : failed(scope);
}

function aborted({ conversation, control, recovery }: LoopScope, { reason, by, rollback }: Abort): CallEnding {
  if (rollback) {
    conversation.rollback();
    if (recovery) conversation.cut(recovery.start);
    control.takeSteering();
  }
  return { outcome: 'aborted', reason: `hook "${by}": ${reason}` };
}

function failed({ run }: LoopScope): CallEnding {
  const { fatal } = run;
  if (run.recovered) return { outcome: 'responded', message: run.recovered };
  return { outcome: 'failed', reason: messageOf(fatal) };
}
