import { defer, type Observable } from 'rxjs';
import { isError } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import { callOutcomeSchema } from '../../events/parts/call-outcome.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { deepFreeze } from '../../events/values/deep-freeze.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import { checkDescriptions, offerTools } from '../calls/offer-tools.ts';
import type { Model } from '../define/model.ts';
import type { Tool } from '../define/tool.ts';
import { drive, type Process } from '../flow/drive.ts';
import type { Lifetime } from '../flow/lifetime.ts';
import type { ActingOptions, CallEnding, ReasoningInput, Run, RunOptions, SuspendedChild } from '../run/run.ts';
import { type RunHost, RunScope } from '../run/run-scope.ts';
import { createStep, type StepScope } from '../run/step-scope.ts';
import type { Settings } from '../settings.ts';
import { actingPhase } from './acting-phase.ts';
import { beginPhase, endPhase, failPhase } from './call-phases.ts';
import { checkDescribed, checkKeys, checkList, checkMessages, invalid, ownList, runInfoOf } from './check-input.ts';
import { reasoningPhase } from './reasoning-phase.ts';

/** The name of each method in events. */
const PHASES = { begin: 'call', reason: 'reasoning', act: 'acting', fail: 'call', end: 'call' } as const;

const STARTS: readonly (keyof RunOptions)[] = [
  ...(['agent', 'sessionId', 'userId', 'metadata', 'transcript', 'deliver', 'mediaStore', 'dryRun'] as const),
  ...(['state', 'parent', 'resumedFrom', 'iteration', 'retries', 'model'] as const),
];
const REQUESTS: readonly (keyof ReasoningInput)[] = ['messages', 'tools', 'model', 'options', 'purpose'];
const ENDINGS: readonly (keyof CallEnding)[] = ['outcome', 'message', 'reason', 'usage', 'snapshot'];

/** Starts a run: validates it and binds its phases to one scope. */
export function startRun(hostFor: (agent: string) => RunHost, settings: Settings, options: RunOptions): Run {
  checkKeys('pipeline.start(options)', options, STARTS);
  const info = runInfoOf(options, settings);
  return new StartedRun(hostFor(info.agent), info, options);
}

/** A class to save memory at ten thousand concurrent runs. */
class StartedRun implements Run {
  readonly #scope: RunScope;

  constructor(host: RunHost, info: RunInfo, options: RunOptions) {
    this.#scope = new RunScope(host, info, options);
  }

  get info(): RunInfo {
    return this.#scope.info;
  }

  get lifetime(): Lifetime {
    return this.#scope.lifetime;
  }

  begin(messages: readonly Message[]): Observable<SettledEvent> {
    return this.phase('begin', (step) => {
      const scope = this.#scope;
      if (scope.stage !== 'new') throw invalid('run.begin()', 'the run has begun already; start another one.');
      checkMessages('run.begin(messages)', messages);
      scope.stage = 'begun';
      return beginPhase(step, ownList(messages));
    });
  }

  reason(request: ReasoningInput, model: Model): Observable<SettledEvent> {
    return this.phase('reason', (step) => {
      const where = 'run.reason(request, model)';
      checkKeys(where, request, REQUESTS);
      checkMessages(where, request.messages);
      if (request.tools !== undefined) checkDescribed(where, request.tools);
      if (typeof model !== 'function') {
        throw new HooklineError(
          'MODEL_FAILED',
          'run.reason(request, model): the model must be a function of a request.',
        );
      }
      checkDescriptions(request.tools ?? [], this.#scope.host.pipeline.hooks);
      this.#scope.model = model;
      this.#scope.iteration += 1;
      return reasoningPhase(step, request, model);
    });
  }

  act(toolCall: ToolCall, tools: readonly Tool[], acting: ActingOptions = {}): Observable<SettledEvent> {
    return this.phase(
      'act',
      (step) => {
        checkList('run.act(toolCall, tools)', 'tools', tools);
        if (typeof toolCall?.id !== 'string' || toolCall.id === '' || typeof toolCall.name !== 'string') {
          throw invalid('run.act(toolCall, tools)', 'a call needs an id and a name.');
        }
        const call = jsonCall(toolCall);
        const offered = offerTools(tools, this.#scope.host.pipeline.hooks);
        return actingPhase(Object.assign(step, { toolCall: call }), call, offered, acting);
      },
      acting.lifetime,
    );
  }

  fail(thrown: unknown): Observable<SettledEvent> {
    return this.phase('fail', (step) => failPhase(step, thrown));
  }

  end(ending: CallEnding, finalize?: Parameters<Run['end']>[1]): Observable<SettledEvent> {
    return this.phase('end', (step) => {
      checkKeys('run.end(ending)', ending, ENDINGS);
      if (!callOutcomeSchema.options.includes(ending.outcome)) {
        const outcomes = callOutcomeSchema.options.join(', ');
        throw invalid(
          'run.end(ending)',
          `outcome is ${JSON.stringify(ending.outcome)}; it must be one of ${outcomes}.`,
        );
      }
      return endPhase(step, ending, finalize);
    });
  }

  suspendedChild(toolCallId: string): SuspendedChild | undefined {
    return this.#scope.suspendedChildren?.get(toolCallId);
  }

  get approvers(): readonly string[] {
    return this.#scope.plan.approvers.map(({ hook }) => hook.name);
  }

  state(): JsonObject {
    return this.#scope.state.toJson();
  }

  get fatal(): unknown {
    return this.#scope.fatal?.cause;
  }

  get recovered(): Message | undefined {
    return this.#scope.recovered;
  }

  get iteration(): number {
    return this.#scope.iteration;
  }

  get retries(): number {
    return this.#scope.retries;
  }

  get askedUsage(): Usage | undefined {
    return this.#scope.askedUsage;
  }

  unfinished(): Message | undefined {
    return this.#scope.unfinished?.partial();
  }

  cancel(reason?: string): void {
    this.lifetime.cancel(reason);
  }

  /** Creates a phase: cold, and cancelled with the run or when its consumer unsubscribes. */
  private phase(
    name: keyof typeof PHASES,
    process: (step: StepScope) => Process,
    parent?: Lifetime,
  ): Observable<SettledEvent> {
    return defer(() => {
      if (this.#scope.stage === 'ended')
        throw invalid(`run.${name}()`, 'the run has ended, its postCall has settled; start another one.');
      const step = createStep(this.#scope, PHASES[name], parent);
      const begin = (consumer: StepScope['consumer']): Process => {
        step.consumer = consumer;
        return process(step);
      };
      return drive(begin, step.lifetime, this.#scope);
    });
  }
}

/** Copies the call as data. If its input is not JSON, the copy fails with the problem. */
function jsonCall(toolCall: ToolCall): ToolCall {
  try {
    return deepFreeze({ ...toolCall, input: toJson(toolCall.input, 'input') as JsonObject });
  } catch (thrown) {
    if (!isError(thrown, HooklineError)) throw thrown;
    return deepFreeze({ ...toolCall, input: {}, inputError: thrown.message });
  }
}
