import { type Observable, Subject } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import { processWide } from '../events/values/process-wide.ts';
import { isHook } from './define/define-hook.ts';
import type { Hook } from './define/hook.ts';
import { compilePlan } from './define/plan.ts';
import type { Tool } from './define/tool.ts';
import { askModel } from './phases/ask-model.ts';
import { childForHook } from './phases/run-child.ts';
import { startRun } from './phases/start-run.ts';
import { createObservers, type Observers } from './run/observers.ts';
import type { Run, RunOptions } from './run/run.ts';
import type { RunHost } from './run/run-scope.ts';
import { type PipelineOptions, toSettings } from './settings.ts';
import { createTracer, type TraceReport, type Tracer } from './trace/tracer.ts';

/** An immutable, ordered composition of hooks. Create it once, then start any number of runs. */
export interface Pipeline {
  /** The hooks in running order. */
  readonly hooks: readonly Hook[];
  /** The tools of the hooks. */
  readonly tools: readonly Tool[];
  readonly options: PipelineOptions;
  /** Emits all settled events of all runs. */
  readonly events$: Observable<SettledEvent>;
  /** Emits the effect of every hook on each settled event. Requires `trace: true` or a hook with `traced`. */
  readonly traces$: Observable<TraceReport>;
  /** Returns a new pipeline that also contains `hook`. */
  with(hook: Hook): Pipeline;
  /** Returns a new pipeline without the hook of this name. */
  without(name: string): Pipeline;
  /** Starts a run: the two phases, to be composed into a loop. */
  start(options: RunOptions): Run;
  /** Resolves when every observer has processed every settled event. Waits one minute for observers whose `timeoutMs` is `Infinity`. */
  flush(): Promise<void>;
  /** The number of chunks that each observer missed because it was too slow, by hook name. */
  droppedChunks(): Readonly<Record<string, number>>;
}

/**
 * Composes hooks into an immutable pipeline, sorted by priority (lower first, ties in the given order). Two hooks with one name, or two of their
 * tools with one name, throw `HOOK_DUPLICATE`.
 */
export function createPipeline(hooks: readonly Hook[] = [], options: PipelineOptions = {}): Pipeline {
  return build(hooks, options, undefined);
}

/** Adds hooks to `base` for runs inside its runs. Observers of `base` see these runs. */
export function extendPipeline(base: Pipeline, hooks: readonly Hook[]): Pipeline {
  return hooks.length === 0 ? base : build([...base.hooks, ...hooks], base.options, watchers.get(base));
}

/** The observers of a pipeline. */
interface Watch {
  readonly events$: Subject<SettledEvent>;
  /** One object for all extensions of a pipeline, so that they count as one source. */
  readonly shown$: Observable<SettledEvent>;
  readonly observers: Observers;
  readonly tracer: Tracer | undefined;
}

const watchers = processWide('watchers', () => new WeakMap<Pipeline, Watch>());

function build(hooks: readonly Hook[], options: PipelineOptions, shared: Watch | undefined): Pipeline {
  const settings = toSettings(options);
  const given = checked(hooks);
  const sorted = [...given].sort((a, b) => a.priority - b.priority);
  const tools = sorted.flatMap((hook) => hook.tools ?? []);
  assertUnique(
    tools.map(({ name }) => name),
    'tool',
  );

  const events$ = shared?.events$ ?? new Subject<SettledEvent>();
  const observers = shared?.observers ?? createObservers(settings.log);
  const shown$ = shared?.shown$ ?? events$.asObservable();
  const tracer = shared?.tracer ?? createTracer(settings.trace, given);
  const relay = (event: SettledEvent): void => {
    if (events$.observed) events$.next(event);
  };

  const publish: RunHost['publish'] = (event, scope) => {
    observers.notify(event, scope);
    relay(event);
  };

  const hosts = new Map<string, RunHost>();
  const hostFor = (agent: string): RunHost => {
    const known = hosts.get(agent);
    if (known) return known;
    const plan = compilePlan(sorted, agent);
    const made = { pipeline, plan, settings, tracer, relay, publish, ask: askModel, childFor: childForHook };
    hosts.set(agent, made);
    return made;
  };

  const pipeline: Pipeline = {
    hooks: Object.freeze(sorted),
    tools: Object.freeze(tools),
    options,
    events$: shown$,
    traces$: (tracer?.reports$ ?? new Subject<never>()).asObservable(),
    with: (hook) => createPipeline([...given, hook], options),
    without(name) {
      const rest = given.filter((hook) => hook.name !== name);
      if (rest.length < given.length) return createPipeline(rest, options);
      throw new HooklineError(
        'HOOK_INVALID',
        `There is no hook "${name}" in this pipeline. Hooks: ${namesOf(given) || 'none'}.`,
      );
    },
    start: (runOptions) => startRun(hostFor, settings, runOptions),
    flush: () => observers.flush(),
    droppedChunks: () => observers.droppedChunks(),
  };
  watchers.set(pipeline, { events$, shown$, observers, tracer });
  return Object.freeze(pipeline);
}

function checked(hooks: readonly Hook[]): readonly Hook[] {
  if (!Array.isArray(hooks)) throw new HooklineError('HOOK_INVALID', 'createPipeline(hooks): hooks must be an array.');
  for (const hook of hooks as readonly unknown[]) {
    if (isHook(hook)) continue;
    const name = (hook as { name?: unknown } | null | undefined)?.name;
    throw new HooklineError(
      'HOOK_INVALID',
      `createPipeline(hooks): ${name ? `"${String(name)}"` : String(hook)} is not a hook; make it with defineHook().`,
    );
  }
  assertUnique(
    hooks.map(({ name }) => name),
    'hook',
  );
  return hooks;
}

function assertUnique(names: readonly string[], what: 'hook' | 'tool'): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  const hint =
    what === 'hook' ? 'Give one of them another name, or take it out with without() first.' : 'Rename one of them.';
  throw new HooklineError('HOOK_DUPLICATE', `Two ${what}s are named "${twice}". ${hint}`);
}

function namesOf(hooks: readonly Hook[]): string {
  return hooks.map(({ name }) => name).join(', ');
}
