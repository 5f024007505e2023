import type { Observable } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import type { Agent, AgentOptions } from '../../agent/agent.ts';
import { createAgent } from '../../agent/create-agent.ts';
import { HooklineError } from '../../errors.ts';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import { isHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Model } from '../../pipeline/define/model.ts';
import type { Run, RunOptions } from '../../pipeline/run/run.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { differences } from '../differences.ts';
import { passEvents } from '../pass-events.ts';
import { marbleSource } from '../scripts/marble-source.ts';
import { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from '../scripts/scripted-model.ts';
import { type ScriptedTool, type ScriptedToolOptions, scriptedTool } from '../scripts/scripted-tool.ts';
import { type EventExpectation, expectEventsOn, type PendingExpectation } from './expect-events.ts';

type Hooks = Hook | readonly Hook[];
type Turns = Parameters<typeof scriptedModel>[0];

/** Helpers for a spec in virtual time. Everything they create runs on `scheduler`. Frames are milliseconds. */
export interface MarbleKit extends Pick<RunHelpers, 'cold' | 'hot' | 'time' | 'flush' | 'expectSubscriptions'> {
  readonly scheduler: TestScheduler;
  pipeline(hooks?: Hooks, options?: PipelineOptions): Pipeline;
  /** A run for its phases: `run(hooks).reason(..)`, `run(hooks).act(..)`. */
  run(hooks?: Hooks, options?: Partial<RunOptions>): Run;
  /** An agent. `model` may be the turns of a script. */
  agent(
    options: Omit<Partial<AgentOptions>, 'model'> & { readonly model: Model | Turns; readonly hooks?: Hooks },
  ): Agent;
  model(turns: Turns, options?: ScriptedModelOptions): ScriptedModel;
  tool<Input = unknown>(options: ScriptedToolOptions<Input>): ScriptedTool<Input>;
  /** Sends events through hooks: chunks through their chunk stages, others through their gates. */
  pass(hooks: Hooks, marbles: string, values: Readonly<Record<string, HookEvent>>): Observable<SettledEvent>;
  pass(hooks: Hooks, events$: Observable<HookEvent>): Observable<SettledEvent>;
  /** Runs an action at a frame. */
  at(frame: number, action: () => void): void;
  expectEvents(actual$: Observable<HookEvent>, subscription?: string): EventExpectation;
}

/** After this virtual time in milliseconds, scheduled actions count as a timer that was never stopped. */
const MAX_FRAMES = 600_000;

let running = false;

/**
 * Runs a spec in virtual time, then checks its expectations. The callback and its code must be synchronous or use Observables, because promises never
 * settle there. `maxFrames` (default: ten minutes) limits the time.
 */
export function marbles(spec: (kit: MarbleKit) => void, options: { readonly maxFrames?: number } = {}): void {
  if (running) throw misuse('marbles() cannot be called within marbles().');
  const { maxFrames = MAX_FRAMES } = options;
  const expectations: PendingExpectation[] = [];
  const scheduler = new TestScheduler((actual, expected) => {
    if (differences(actual, expected).length === 0) return;
    throw Object.assign(new Error('expectSubscriptions: the subscriptions differ.'), { actual, expected });
  });
  running = true;
  try {
    scheduler.run((helpers) => {
      scheduler.maxFrames = maxFrames;
      const returned: unknown = spec(createKit(scheduler, helpers, expectations));
      if (typeof (returned as { then?: unknown } | undefined)?.then === 'function') {
        throw misuse('the callback of marbles() returned a promise; in virtual time nothing can be awaited.');
      }
    });
  } finally {
    running = false;
  }
  const issues = expectations.flatMap((expectation) => expectation.verdict() ?? []);
  if (issues[0]) throw issues[0];
  const left = scheduler.actions[0];
  if (left)
    throw misuse(
      `something is still scheduled after frame ${maxFrames}: a timer that nobody stops, or raise maxFrames.`,
    );
}

function createKit(scheduler: TestScheduler, helpers: RunHelpers, expectations: PendingExpectation[]): MarbleKit {
  const { cold, hot, time, flush, expectSubscriptions } = helpers;
  let ids = 0;
  const settings = (own: PipelineOptions): PipelineOptions => ({ scheduler, newId: () => `id_${++ids}`, ...own });
  const pipeline = (hooks: Hooks = [], own: PipelineOptions = {}) => createPipeline(listOf(hooks), settings(own));
  const model = (turns: Turns, own?: ScriptedModelOptions) => scriptedModel(turns, { scheduler, ...own });
  return {
    ...{ scheduler, cold, hot, time, flush, expectSubscriptions, pipeline, model },
    run: (hooks, own) => pipeline(hooks).start({ agent: 'agent', ...own }),
    agent({ model: given, hooks, ...own }) {
      if (hooks !== undefined && own.pipeline !== undefined)
        throw misuse('agent(): give hooks, or a pipeline that has them.');
      return createAgent({
        name: 'agent',
        ...own,
        pipeline: own.pipeline ?? pipeline(hooks),
        model: typeof given === 'function' ? given : model(given),
      });
    },
    tool: (own) => scriptedTool({ scheduler, ...own }),
    pass(hooks: Hooks, events: string | Observable<HookEvent>, values?: Readonly<Record<string, HookEvent>>) {
      const drawn =
        typeof events === 'string'
          ? marbleSource({ marbles: events, values: values ?? {} }, scheduler, 'pass()')
          : events;
      return passEvents(listOf(hooks), drawn as Observable<HookEvent>, settings({}));
    },
    at: (frame, action) => void scheduler.schedule(action, frame - scheduler.frame),
    expectEvents(actual$, subscription) {
      if (!running) throw misuse('expectEvents() was called after marbles() had ended.');
      const expectation = expectEventsOn(scheduler, actual$, subscription);
      expectations.push(expectation);
      return expectation;
    },
  };
}

function listOf(hooks: Hooks): readonly Hook[] {
  return isHook(hooks) ? [hooks] : (hooks as readonly Hook[]);
}

function misuse(issue: string): HooklineError {
  return new HooklineError('OPTIONS_INVALID', issue);
}
