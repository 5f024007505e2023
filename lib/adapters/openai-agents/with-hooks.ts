import { HooklineError } from '../../errors.ts';
import { checkHooks, checkSettings, runSettings } from '../../loops/check-hooks.ts';
import { checkUnknownFields } from '../../loops/known-fields.ts';
import { memoryPendingCallStore } from '../../loops/pending/pending-call-store.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { CallOptions } from './call-options.ts';
import { hookedAgents, withoutRetry } from './hooked-agents.ts';
import { checkModel, hookedModel } from './hooked-model.ts';
import { HostRun } from './host-run.ts';
import type { HostAgent, HostModelProvider, HostResult, HostRunner, HostState } from './host-types.ts';
import { knownOptions } from './known-options.ts';
import { streamedResult } from './streamed-result.ts';

/** Options of `withHooks`: the agent name in events, and settings for all runs. */
export interface WithHooksOptions extends CallOptions {}

/** Options of a single run, in the field `hookline` of its options. */
export type HooklineCallOptions = Partial<Omit<CallOptions, 'agent'>>;

interface RunOptions {
  readonly stream?: boolean;
  readonly signal?: AbortSignal;
  readonly hookline?: HooklineCallOptions;
  readonly [option: string]: unknown;
}

/** The `run` function of a runner with hooks. It has the same signature, with the option `hookline` added. */
export interface HookedRunner<R extends HostRunner> {
  readonly run: R['run'] &
    // biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
    ((agent: any, input: any, options: RunOptions & { readonly hookline: HooklineCallOptions }) => Promise<any>);
}

const KNOWN = [...runSettings, 'buffer', 'answers', 'unhooked'];

/**
 * Returns `run` of a runner with the hooks of `pipeline` around the models, tools and handoffs of all its agents. One run of the runner is one run
 * of the hooks. If a hook aborts, `run` rejects with `RunAborted`. In a stream, `completed` rejects and the stream fails. Suspended calls use the
 * runner's interruptions. Throws `INPUT_INVALID` for an invalid runner, and for tools that bypass the hooks.
 */
export function withHooks<R extends HostRunner>(
  runner: R,
  pipeline: Pipeline,
  options: WithHooksOptions,
): HookedRunner<R> {
  if (typeof runner?.run !== 'function' || typeof runner.config !== 'object')
    throw invalid('the first argument must be an OpenAI Agents runner (new Runner()); it has no run and config');
  const issue = checkHooks(pipeline, options, KNOWN);
  if (issue !== undefined) throw invalid(issue);
  const common = { pendingCalls: memoryPendingCallStore(), ...options };

  const run = async (agent: HostAgent, input: unknown, given: RunOptions = {}): Promise<unknown> => {
    if (typeof agent?.getAllTools !== 'function')
      throw invalid('the first argument of run must be an OpenAI Agents agent (new Agent(..)); it has no getAllTools');
    if (typeof given !== 'object' || given === null)
      throw invalid('the options of run must be an object, such as { stream: true }, or omitted');
    const { hookline = {}, ...rest } = given;
    const own = checkSettings(hookline, KNOWN.slice(1));
    if (own !== undefined) throw invalid(`the option hookline ${own}`);
    const past =
      checkUnknownFields(rest, knownOptions['a run']) ?? checkUnknownFields(runner.config, knownOptions['a runner']);
    if (past !== undefined) throw invalid(`the options of a run or of its runner: it ${past}`);
    const called = { ...common, ...hookline };
    const host = new HostRun(pipeline, called, given.signal);
    const { hook, toolsOf } = hookedAgents({ host, brought: pipeline.tools, unhooked: called.unhooked ?? [] });
    const hooked = hook(agent);
    const from = isState(input) ? await goOn(hooked, input) : input;
    if (isState(from)) host.goOn(from, toolsOf);
    const derived = hookedRunner(runner, host);
    let result: HostResult;
    try {
      result = (await derived.run(hooked, from, rest)) as HostResult;
    } catch (thrown) {
      throw await host.end({ error: thrown });
    }
    if (given.stream) return streamedResult(result, host);
    const thrown = await host.end({ suspended: result.interruptions.length > 0 });
    if (thrown !== undefined) throw thrown;
    return result;
  };
  return { run: run as unknown as HookedRunner<R>['run'] };
}

/** Returns the runner with hooks around models that it resolves by name. Its listeners are kept. */
function hookedRunner(runner: HostRunner, host: HostRun): HostRunner {
  const { config } = runner;
  const provider = config.modelProvider as HostModelProvider;
  const modelProvider: HostModelProvider = {
    async getModel(name) {
      return hookedModel(checkModel(await provider.getModel(name), `Model "${name ?? ''}"`), host);
    },
  };
  const { model } = config;
  host.plain = { hooked: modelProvider, config: { modelProvider: provider, model } };
  const made = new (runner.constructor as new (config: object) => HostRunner)({
    ...config,
    modelProvider,
    ...(typeof model === 'object' &&
      model !== null && { model: hookedModel(checkModel(model, 'The model of the runner'), host) }),
    modelSettings: withoutRetry(config.modelSettings, 'runner', host),
  });
  return Object.assign(made, { ...runner, config: made.config });
}

/** Binds a state to the agents of this run, whatever created it. */
async function goOn(agent: HostAgent, given: HostState): Promise<HostState> {
  const { fromStringWithContext } = given.constructor as unknown as {
    fromStringWithContext(agent: HostAgent, text: string, context: object, options: object): Promise<HostState>;
  };
  const { constructor: State, _context: context } = given;
  return fromStringWithContext.call(State, agent, textOf(given), context, { contextStrategy: 'merge' });
}

/** Serializes a state without the user's context. The context is passed on as it is, and need not be JSON. */
function textOf(state: HostState): string {
  const { _context: kept } = state;
  const { context } = kept;
  kept.context = {};
  try {
    return state.toString();
  } finally {
    kept.context = context;
  }
}

function isState(input: unknown): input is HostState {
  return typeof (input as HostState | undefined)?.getInterruptions === 'function';
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `withHooks(runner, pipeline, options): ${why}.`);
}
