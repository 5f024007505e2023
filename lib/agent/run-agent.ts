import { asyncScheduler, type Observable } from 'rxjs';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { isPrompt } from '../events/parts/messages.ts';
import { freezeField } from '../events/values/deep-freeze.ts';
import type { Pipeline } from '../pipeline/create-pipeline.ts';
import type { ParentLink } from '../pipeline/define/hook-context.ts';
import { describeTool } from '../pipeline/define/tool.ts';
import { CANCELLED, drive, forward, type Process, wait } from '../pipeline/flow/drive.ts';
import type { CallEnding } from '../pipeline/run/run.ts';
import { defaultTimeouts } from '../pipeline/settings.ts';
import type { TranscriptStore } from '../store/transcripts/transcript-store.ts';
import type { Agent, AgentOptions, AgentRunOptions } from './agent.ts';
import { type Control, createControl } from './control.ts';
import { type LoopScope, loop } from './loop.ts';
import { recoverFrom } from './recover/recover-from.ts';
import type { ReplayedRun } from './recover/replay-run.ts';
import { keepHandle } from './run-handle.ts';
import { logMissingApprovers } from './suspend/missing-approvers.ts';
import { type Resumption, resumeFrom } from './suspend/resumption.ts';
import type { Answers, Snapshot } from './suspend/snapshot.ts';
import { type Conversation, loadConversation } from './transcript/conversation.ts';
import { takeTurn } from './transcript/session-queue.ts';
import { withResults } from './transcript/with-results.ts';

/** A run of an agent that has not started. */
export interface RunRequest {
  readonly agent: Agent;
  readonly options: AgentOptions;
  readonly pipeline: Pipeline;
  readonly transcript: TranscriptStore;
  readonly input: readonly Message[];
  readonly run: AgentRunOptions;
  readonly parent?: ParentLink;
  readonly resume?: { readonly snapshot: Snapshot; readonly answers: Answers };
  readonly recover?: { readonly replayed: ReplayedRun; readonly writeAhead: boolean };
}

/** Starts a run. It waits for the session's turn, loads the conversation and runs the loop. It ends with exactly one postCall. */
export function runAgent(request: RunRequest): Observable<SettledEvent> {
  const { options, pipeline, parent, resume, recover, run: wanted } = request;
  const { sessionId, userId, metadata } = wanted;
  let conversation: Conversation | undefined;
  const run = pipeline.start({
    agent: options.name,
    model: options.model,
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
    ...(metadata !== undefined && { metadata }),
    ...(parent && { parent: { run: parent.run, lifetime: parent.lifetime } }),
    ...(resume && {
      resumedFrom: resume.snapshot.run.runId,
      iteration: resume.snapshot.iteration,
      state: resume.snapshot.state,
      ...(resume.snapshot.retries !== undefined && { retries: resume.snapshot.retries }),
    }),
    ...(recover && {
      resumedFrom: recover.replayed.run.runId,
      iteration: recover.replayed.iteration,
      retries: recover.replayed.retries,
    }),
    ...(options.deliver && { deliver: options.deliver }),
    ...(options.mediaStore && { mediaStore: options.mediaStore }),
    transcript: () => conversation?.messages ?? [],
  });
  const { scheduler = asyncScheduler, portTimeoutMs = defaultTimeouts.port } = pipeline.options;
  const portTime = { scheduler, portTimeoutMs, log: run.lifetime.log };
  let issue: { thrown: unknown } | undefined;
  // Created before the process starts, because an early cancel needs it.
  const control = createControl(wanted, run.lifetime, (thrown) => {
    issue ??= { thrown };
    run.cancel(`a control stream failed: ${messageOf(thrown)}`);
  });
  if (!parent) {
    const { hooks, transcript } = wanted;
    const own = { ...(hooks && { hooks }), ...(transcript && { transcript }) };
    keepHandle(run.info, {
      transcript: request.transcript,
      interrupt: control.interrupt,
      resume: (snapshot, answers, signal) => request.agent.resume(snapshot, answers, { ...own, signal }),
    });
  }
  return drive(() => runLoop(), run.lifetime);

  function* runLoop(): Process {
    let release: (() => void) | undefined;
    let scope: LoopScope | undefined;
    let ending: CallEnding;
    let begun = false;
    try {
      try {
        if (run.lifetime.cancelled) throw CANCELLED;
        release = yield* wait(takeTurn(request.transcript, run.info.sessionId));
        conversation = yield* wait(loadConversation(request.transcript, run.info.sessionId, portTime));
        if (wanted.regenerate) cutTurn(conversation, run.info.sessionId);
        if (resume) logMissingApprovers(run, resume.snapshot.approvers ?? []);
        const resumption = resume && resumeFrom(resume.snapshot, resume.answers, conversation);
        scope = loopScope(conversation, control, resumption);
        begun = true;
        ending = yield* loop(scope);
      } catch (thrown) {
        if (!begun) yield* forward(run.begin(request.input));
        ending = thrown === CANCELLED ? { outcome: 'cancelled' } : yield* fail(thrown);
      }
      if (issue) yield* forward(run.fail(issue.thrown));
      yield* forward(
        run.end(withUsage(ending, scope), (post) => conversation && write(conversation, scope, ending, post.message)),
      );
    } finally {
      control.close();
      release?.();
    }
  }

  function* fail(thrown: unknown): Process<CallEnding> {
    yield* forward(run.fail(thrown));
    if (run.lifetime.cancelled) return { outcome: 'cancelled' };
    if (run.recovered) return { outcome: 'responded', message: run.recovered };
    return { outcome: 'failed', reason: messageOf(thrown) };
  }

  function loopScope(loaded: Conversation, control: Control, resumption: Resumption | undefined): LoopScope {
    const tools = [...(options.tools ?? []), ...pipeline.tools];
    return {
      run,
      agent: options,
      tools,
      described: freezeField(tools.map(describeTool)),
      conversation: loaded,
      control,
      maxIterations: wanted.maxIterations ?? resume?.snapshot.maxIterations ?? options.maxIterations ?? 10,
      input: request.input,
      resumption,
      recovery: recover && recoverFrom(recover.replayed, loaded, tools, recover.writeAhead),
      usage: resume?.snapshot.usage ?? recover?.replayed.usage,
    };
  }
}

/** Removes the messages after the last user message. */
function cutTurn(conversation: Conversation, sessionId: string): void {
  const last = conversation.messages.findLastIndex(isPrompt);
  if (last < 0)
    throw new HooklineError(
      'INPUT_INVALID',
      `The session ${JSON.stringify(sessionId)} has no user message to run again. Run it with a message.`,
    );
  conversation.cut(last + 1);
}

/** Remembers the settled last message and the user's later messages, and writes the conversation to the store. */
function write(
  conversation: Conversation,
  scope: LoopScope | undefined,
  ending: CallEnding,
  message: Message | undefined,
): Observable<unknown> | undefined {
  // Only results may follow pending calls. Any other message would make the snapshot stale at once.
  if (ending.outcome === 'suspended') return conversation.commit();
  const known = message && ending.message && conversation.replace(ending.message, message);
  if (message && !known) conversation.remember(message);
  if (scope) conversation.remember(...withResults(scope.control.takeSteering()));
  return conversation.commit();
}

function withUsage(ending: CallEnding, scope: LoopScope | undefined): CallEnding {
  return { ...ending, ...(scope?.usage && { usage: scope.usage }) };
}
