import { isError } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { PostReasoning } from '../../events/post-reasoning.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { deepFreeze, freezeEvent, freezeListOfFrozen } from '../../events/values/deep-freeze.ts';
import { emitRetracted } from '../chunks/chunk.ts';
import type { Model } from '../define/model.ts';
import { CANCELLED, type Process } from '../flow/drive.ts';
import type { ReasoningInput } from '../run/run.ts';
import { settle } from '../run/run-scope.ts';
import { StepFailure } from '../run/step-failure.ts';
import { notifyStep, type StepScope } from '../run/step-scope.ts';
import { redactText } from '../trace/redact-text.ts';
import { ownList } from './check-input.ts';
import { grantRetry, pass, raise, reportTolerated, withNote } from './pass.ts';
import { streamReasoning } from './reasoning-stream.ts';
import { Reply } from './reply.ts';

interface Answer {
  readonly message: Message;
  readonly usage: Usage | undefined;
  readonly finishReason: FinishReason;
}

const noTools: PreReasoning['tools'] = freezeListOfFrozen([]);
const noOptions: PreReasoning['options'] = deepFreeze({});

/** Sends one model request with its hooks: preReasoning, chunks, postReasoning, or an error event instead. */
export function* reasoningPhase(step: StepScope, input: ReasoningInput, model: Model): Process {
  // A phase that was cancelled before it began calls no hook.
  if (step.lifetime.cancelled) return;
  try {
    for (;;) {
      let answer: Answer | undefined;
      step.scope.unfinished = undefined;
      try {
        const pre = settle(step.scope, yield* pass<PreReasoning>(step, preReasoning(step, input, model)));
        yield pre;
        const reply = pre.decision ? undefined : new Reply();
        if (reply) {
          step.scope.unfinished = reply;
          yield { wait: streamReasoning(step, pre, model, reply) };
          if (step.lifetime.cancelled) throw CANCELLED;
          emitRetracted(step, emptyChunk(step));
          if (step.tolerated) yield* reportTolerated(step);
        }
        answer = reply ? gathered(reply) : responded(pre);
        // Nothing if a hook has aborted.
        if (answer) yield* conclude(step, input, answer);
        return;
      } catch (thrown) {
        if (thrown === CANCELLED) return;
        const failure = isError(thrown, StepFailure) ? thrown : new StepFailure('host', thrown);
        notifyStep(step, failure);
        emitRetracted(step, emptyChunk(step));
        const { decision } = yield* raise(step, failure, ['respond', 'retry']);
        if (decision?.action === 'respond' && 'message' in decision) {
          // Chunks that were emitted by then are not the result of the step.
          step.attempt += 1;
          emitRetracted(step, emptyChunk(step));
          const recovered: Answer = { message: decision.message, usage: answer?.usage, finishReason: 'responded' };
          // A hook that failed on the answer would fail on this event, too. The failure is already attributed to it.
          if (answer) yield end(step, postReasoning(step, input, recovered));
          else yield* conclude(step, input, recovered);
          return;
        }
        if (decision?.action !== 'retry') {
          step.scope.fatal = failure;
          return;
        }
        step.attempt += 1;
      }
    }
  } catch (thrown) {
    if (thrown === CANCELLED) return;
    if (!isError(thrown, StepFailure)) throw thrown;
    step.scope.fatal = thrown;
    yield* raise(step, thrown, []);
  } finally {
    step.lifetime.release();
  }
}

function emptyChunk({ scope, attempt }: StepScope): ReasoningChunk {
  const { info: run, iteration } = scope;
  return { type: 'reasoningChunk', run, iteration, part: 'text', delta: '', block: 0, attempt, last: true };
}

function preReasoning(step: StepScope, input: ReasoningInput, model: Model): PreReasoning {
  const { scope } = step;
  const modelId = input.model ?? model.modelId;
  return {
    type: 'preReasoning',
    run: scope.info,
    iteration: scope.iteration,
    purpose: input.purpose ?? 'step',
    attempt: step.attempt,
    messages: ownList(input.messages),
    tools: input.tools ? ownList(input.tools) : noTools,
    options: input.options ?? noOptions,
    // Last, because V8 is slow to add fields after a spread.
    ...(modelId !== undefined && { model: modelId }),
  };
}

/** Returns the answer of the model, or undefined if a hook has aborted. */
function gathered(reply: Reply): Answer | undefined {
  if (reply.aborted) return undefined;
  const message = reply.message();
  const usual = toolCallsOf(message).length > 0 ? 'toolCalls' : 'stop';
  return { message, usage: reply.usage, finishReason: reply.stopped ? 'stopped' : (reply.finishReason ?? usual) };
}

/** Returns the answer of a hook instead of the model, or undefined if it has aborted. */
function responded({ decision }: PreReasoning): Answer | undefined {
  if (decision?.action !== 'respond') return undefined;
  return { message: decision.message, usage: undefined, finishReason: 'responded' };
}

function* conclude(step: StepScope, input: ReasoningInput, answer: Answer): Process {
  const { scope } = step;
  const began = postReasoning(step, input, answer);
  notifyStep(step, began);
  let post = yield* pass<PostReasoning>(step, began);
  if (post.decision?.action !== 'retry') scope.retries = 0;
  else if (!grantRetry(scope)) {
    const message = `Hook "${post.decision.by}" asked for a retry, but ${scope.settings.maxRetries} in a row are the limit. The run goes on without.`;
    yield* raise(step, new StepFailure('hook', new HooklineError('HOOK_CONTRACT', message), post.decision.by), []);
    post = withNote(scope, post, 'retry-exhausted', message);
    scope.retries = 0;
  }
  yield end(step, withKnownNames(step, post, input));
}

/** The settled message is part of the conversation, instead of the text emitted by then. */
function end({ scope }: StepScope, post: PostReasoning): SettledEvent<PostReasoning> {
  scope.unfinished = undefined;
  return settle(scope, post);
}

/** Redacts the names of tools that are not offered, because they are text of the model. */
function withKnownNames({ scope }: StepScope, post: PostReasoning, { tools = [] }: ReasoningInput): PostReasoning {
  const isKnown = (called: string) => tools.some(({ name }) => name === called);
  if (scope.plan.redactors.length === 0 || toolCallsOf(post.message).every(({ name }) => isKnown(name))) return post;
  const parts = post.message.parts.map((part) => {
    if (part.type !== 'toolCall' || isKnown(part.toolCall.name)) return part;
    return { ...part, toolCall: { ...part.toolCall, name: redactText(scope, part.toolCall.name) } };
  });
  const named = freezeEvent({ ...post, message: { ...post.message, parts } });
  scope.tracer?.carry(post, named);
  return named;
}

function postReasoning(
  step: StepScope,
  input: ReasoningInput,
  { message, usage, finishReason }: Answer,
): PostReasoning {
  const purpose = input.purpose ?? 'step';
  // A summary has no tools, so nothing could answer its calls.
  const dropped = purpose === 'summary' ? toolCallsOf(message).length : 0;
  const note = { by: 'engine', code: 'calls-dropped', message: 'tool calls were dropped: a summary is without tools' };
  return {
    type: 'postReasoning',
    run: step.scope.info,
    iteration: step.scope.iteration,
    purpose,
    attempt: step.attempt,
    message: dropped > 0 ? { ...message, parts: message.parts.filter(({ type }) => type !== 'toolCall') } : message,
    ...(usage && { usage }),
    finishReason: dropped > 0 && finishReason === 'toolCalls' ? 'stop' : finishReason,
    ...(dropped > 0 && { notes: [note] }),
  };
}
