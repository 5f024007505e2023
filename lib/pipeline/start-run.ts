import type { Observable } from 'rxjs';
import { defer } from 'rxjs';
import { HooklineError } from '../errors.ts';
import { deepFreeze } from '../events/deep-freeze.ts';
import type { Settled } from '../events/hook-event.ts';
import type { JsonObject } from '../events/json-value.ts';
import type { PostCall } from '../events/post-call.ts';
import type { PreCall } from '../events/pre-call.ts';
import { type RunInfo, runInfoSchema } from '../events/run-info.ts';
import { toJson } from '../events/to-json.ts';
import type { ToolCall } from '../events/tool-call.ts';
import { actingPhase } from './acting-phase.ts';
import { createChildRunner } from './child-runner.ts';
import { CANCELLED, drive, type Process, wait } from './drive.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import { pass, raise } from './pass.ts';
import type { Pipeline } from './pipeline.ts';
import type { Plan } from './plan.ts';
import { reasoningPhase } from './reasoning-phase.ts';
import type { CallEnding, Run, RunOptions } from './run.ts';
import { gateEvent, type RunScope, settle } from './run-scope.ts';
import type { Settings } from './settings.ts';
import { createStateStore } from './state.ts';
import { StepFailure } from './step-failure.ts';
import { createStep, type StepScope } from './step-scope.ts';
import type { Tracer } from './tracer.ts';

/** What a run takes from the pipeline that it is started on. */
export interface RunHost {
  readonly pipeline: Pipeline;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly tracer: Tracer | undefined;
  readonly publish: RunScope['publish'];
  /** Shows an event of a sub-agent that runs on other hooks to whoever watches this pipeline. */
  readonly relay: (event: Settled) => void;
}

/** Starts a run: checks who runs, and ties the phases to one scope. */
export function startRun(host: RunHost, options: RunOptions): Run {
  const { settings, plan } = host;
  const info = runInfo(options, settings);
  const lifetime = createLifetime(options.parent?.lifetime);
  const scope: RunScope = {
    info,
    plan,
    settings,
    lifetime,
    state: createStateStore(options.state),
    dryRun: options.dryRun ?? false,
    tracer: host.tracer,
    hookTools: host.pipeline.tools,
    deliver: options.deliver,
    log: settings.log,
    transcript: options.transcript ?? (() => []),
    childFor: (hook) => children.forHook(hook),
    publish: host.publish,
    leases: new Array(host.pipeline.hooks.length),
    queues: undefined,
    suspendedChildren: new Map(),
    iteration: options.iteration ?? 0,
    seq: 0,
    retries: 0,
    fatal: undefined,
    recovered: undefined,
    unfinished: () => undefined,
  };
  const children = createChildRunner(scope, host.pipeline, host.relay);

  /** A phase of its own: cold, cancelled with the run or when nobody listens any more. */
  const phase = (
    name: StepScope['phase'],
    process: (step: StepScope) => Process,
    parent?: Lifetime,
  ): Observable<Settled> =>
    defer(() => {
      const step = createStep(scope, name, parent);
      return drive((consumer) => {
        step.consumer = consumer;
        return process(step);
      }, step.lifetime);
    });

  return {
    info,
    lifetime,
    begin: (messages) => phase('call', (step) => beginPhase(step, messages)),
    reason: (request, model) =>
      phase('reasoning', (step) => {
        if (typeof model !== 'function') {
          throw new HooklineError(
            'MODEL_FAILED',
            'run.reason(request, model): the model must be a function of a request.',
          );
        }
        scope.iteration += 1;
        return reasoningPhase(step, request, model);
      }),
    act: (toolCall, tools, acting = {}) =>
      phase(
        'acting',
        (step) => {
          const call = jsonCall(toolCall);
          return actingPhase(
            Object.assign(step, { toolCall: call }),
            call,
            tools,
            children.forCall(step, call, acting.child),
            acting,
          );
        },
        acting.lifetime,
      ),
    fail: (thrown) => phase('call', (step) => failPhase(step, thrown)),
    end: (ending, finalize) => phase('call', (step) => endPhase(step, ending, finalize)),
    suspendedChild: (toolCallId) => scope.suspendedChildren.get(toolCallId),
    state: () => scope.state.toJson(),
    get fatal() {
      return scope.fatal?.cause;
    },
    get recovered() {
      return scope.recovered;
    },
    unfinished: () => scope.unfinished(),
    get iteration() {
      return scope.iteration;
    },
    cancel: (reason) => lifetime.cancel(reason),
  };
}

/** The call as data that nobody else holds; one whose input is no JSON fails with what is wrong with it. */
function jsonCall(toolCall: ToolCall): ToolCall {
  try {
    return deepFreeze({ ...toolCall, input: toJson(toolCall.input, 'input') as JsonObject });
  } catch (thrown) {
    if (!(thrown instanceof HooklineError)) throw thrown;
    return deepFreeze({ ...toolCall, input: {}, inputError: thrown.message });
  }
}

function* beginPhase(step: StepScope, messages: PreCall['messages']): Process {
  const { scope } = step;
  const event: PreCall = { type: 'preCall', run: scope.info, iteration: scope.iteration, messages };
  let passed: PreCall;
  let failure: StepFailure | undefined;
  try {
    passed = yield* pass<PreCall>(step, event);
  } catch (thrown) {
    if (thrown !== CANCELLED && !(thrown instanceof StepFailure)) throw thrown;
    if (thrown instanceof StepFailure) failure = thrown;
    // The call has begun, whatever became of its hooks; but what they have not cleared does not get out.
    passed = gateEvent({ ...event, messages: [] });
  }
  try {
    scope.fatal = failure;
    yield settle(scope, passed);
    if (failure) {
      const { decision } = yield* raise(step, failure, ['respond']);
      if (decision?.action === 'respond' && 'message' in decision) scope.recovered = decision.message;
    }
  } catch (thrown) {
    if (thrown !== CANCELLED) throw thrown;
  } finally {
    step.lifetime.release();
  }
}

function* failPhase(step: StepScope, thrown: unknown): Process {
  try {
    const { decision } = yield* raise(step, new StepFailure('host', thrown), ['respond']);
    if (decision?.action === 'respond' && 'message' in decision) step.scope.recovered = decision.message;
  } catch (caught) {
    if (caught !== CANCELLED) throw caught;
  } finally {
    step.lifetime.release();
  }
}

function* endPhase(step: StepScope, ending: CallEnding, finalize: Parameters<Run['end']>[1]): Process {
  const { scope } = step;
  const began: PostCall = { type: 'postCall', run: scope.info, iteration: scope.iteration, ...ending };
  let event = began;
  try {
    // After a cancel only observers hear of it.
    if (!scope.lifetime.cancelled) event = yield* pass<PostCall>(step, began);
  } catch (thrown) {
    if (thrown !== CANCELLED) throw thrown;
  }
  if (scope.lifetime.cancelled) event = cancelledCall(event, scope.lifetime.reason);
  try {
    const written = finalize?.(event);
    if (written) yield* wait(written);
  } catch (thrown) {
    if (thrown === CANCELLED) event = cancelledCall(event, scope.lifetime.reason);
    else {
      const { error } = yield* raise(step, new StepFailure('host', thrown), []);
      event = { ...event, outcome: 'failed', reason: error.message };
    }
  }
  step.lifetime.release();
  yield settle(scope, gateEvent(event));
  scope.lifetime.release();
}

/** What a cancel makes of a call's end: a suspended call stays one, for its snapshot would be lost. */
function cancelledCall(event: PostCall, reason: string | undefined): PostCall {
  if (event.outcome === 'suspended') return event;
  return { ...event, outcome: 'cancelled', ...(reason !== undefined && { reason }) };
}

function runInfo(options: RunOptions, settings: Settings): RunInfo {
  const { agent, sessionId, userId, metadata, parent, resumedFrom } = options;
  const info = {
    runId: settings.newId(),
    sessionId: sessionId ?? settings.newId(),
    ...(userId !== undefined && { userId }),
    agent,
    ...(parent && { parentRunId: parent.run.runId }),
    depth: parent ? parent.run.depth + 1 : 0,
    ...(resumedFrom !== undefined && { resumedFrom }),
    ...(metadata !== undefined && { metadata: toJson(metadata, 'metadata') as JsonObject }),
  };
  const checked = runInfoSchema.safeParse(info);
  if (checked.success) return deepFreeze(checked.data);
  const faults = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new HooklineError('OPTIONS_INVALID', `pipeline.start(): ${faults.join('; ')}`);
}
