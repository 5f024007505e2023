import { HooklineError } from '../../errors.ts';
import { checkUnknownFields } from '../../loops/known-fields.ts';
import { overlaid } from '../../loops/overlaid.ts';
import type { HostConfig, HostTool } from './host-langchain.ts';
import { HostRun } from './host-run.ts';
import { knownOptions } from './known-options.ts';
import { keyOf, type Runs, registeredOf } from './runs.ts';

/** The fields of a `createAgent` agent that Hookline reads. */
export interface HostAgent {
  readonly options: {
    readonly middleware?: readonly object[];
    readonly tools?: readonly object[];
  };
  // biome-ignore lint/suspicious/noExplicitAny: generic in the state of the agent.
  invoke(state: any, config?: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: generic in the state of the agent.
  stream(state: any, config?: any): Promise<any>;
}

/**
 * Wraps an agent so that every run emits postCall, including runs that abort, fail or are cancelled. LangChain calls no middleware for those. After
 * an abort, the run rejects with the `RunAborted` itself. Throws `INPUT_INVALID` for an agent without `hookline(..)` among its middleware, and for
 * options that could bypass the hooks.
 */
export function hookedAgent<A extends HostAgent>(agent: A): A {
  const { middleware = [], tools = [] } = agent?.options ?? {};
  const registered = middleware.map(registeredOf).find((found) => found !== undefined);
  if (!registered)
    throw new HooklineError(
      'INPUT_INVALID',
      'hookedAgent(agent): the agent must come from createAgent({ .., middleware: [.., hookline(..)] }).',
    );
  check('an agent', agent.options);
  // `createMiddleware` adds its marker under a symbol.
  for (const one of middleware) check('a middleware', Object.fromEntries(Object.entries(one)));
  const { runs, log } = registered;
  if (middleware.some((one) => (one as { readonly name?: unknown }).name === 'toolRetryMiddleware'))
    log.warn(
      {},
      'toolRetryMiddleware has no effect, because hooks turn an error of a tool into a result: retry in `around.acting` of a hook',
    );
  const brought = middleware.flatMap((one) => (one as { readonly tools?: readonly object[] }).tools ?? []);
  const known = [...tools, ...brought].filter((tool): tool is HostTool => 'invoke' in tool && 'name' in tool);
  const begin = (config: HostConfig | undefined): Begun => amend(runs, known, config);
  return overlaid(agent, methodsOf(agent as unknown as Agent, begin), { isBound: true });
}

interface Agent extends HostAgent {
  streamEvents(state: unknown, config: HostConfig, options?: unknown): unknown;
  withConfig(config: unknown): HostAgent;
}

interface Begun {
  readonly run: HostRun;
  readonly config: HostConfig;
}

/** Rejects options that could run a model or a tool without the hooks. */
function check(place: keyof typeof knownOptions, given: object): void {
  const issue = checkUnknownFields(given, knownOptions[place]);
  if (issue !== undefined) throw new HooklineError('INPUT_INVALID', `hookedAgent(agent): ${place} ${issue}.`);
}

function amend(runs: Runs, tools: readonly HostTool[], config: HostConfig = {}): Begun {
  check('the configuration of a run', config);
  const run = new HostRun(true, config.signal);
  for (const tool of tools) run.tools.set(tool.name, tool);
  return { run, config: { ...config, configurable: { ...config.configurable, __hookline: keyOf(runs, run) } } };
}

function methodsOf(agent: Agent, begin: (config: HostConfig | undefined) => Begun) {
  return {
    async invoke(state: unknown, given?: HostConfig): Promise<unknown> {
      const { run, config } = begin(given);
      let result: { readonly __interrupt__?: readonly unknown[] } | undefined;
      try {
        result = await agent.invoke(state, config);
      } catch (error) {
        throw await endWith(run, error);
      }
      const waits = !run.concluded && (result?.__interrupt__?.length ?? 0) > 0;
      const error = await run.end(waits ? { outcome: 'suspended' } : {});
      if (error) throw error;
      return result;
    },
    async stream(state: unknown, given?: HostConfig): Promise<unknown> {
      const { run, config } = begin(given);
      return watch(() => agent.stream(state, config), run);
    },
    streamEvents(state: unknown, given?: HostConfig, options?: unknown): unknown {
      const { run, config } = begin(given);
      if (config['version'] === 'v3' && options == null) return watchRun(agent.streamEvents(state, config), run);
      return watched(agent.streamEvents(state, config, options) as ReadableStream, run);
    },
    withConfig(config: HostConfig): HostAgent {
      check('the configuration of a run', config ?? {});
      return hookedAgent(agent.withConfig(config));
    },
  };
}

async function watch(work: () => Promise<ReadableStream>, run: HostRun): Promise<ReadableStream> {
  try {
    return watched(await work(), run);
  } catch (error) {
    throw await endWith(run, error);
  }
}

/** Ends a run whose graph threw, and returns the error to throw. A nested agent throws its interrupt, or the command with which it leaves. */
async function endWith(run: HostRun, error: unknown): Promise<unknown> {
  const { is_bubble_up: passes, command } = (error ?? {}) as {
    readonly is_bubble_up?: unknown;
    readonly command?: unknown;
  };
  if (passes !== true) return run.end({ error });
  return (await run.end(command === undefined ? { outcome: 'suspended' } : {})) ?? error;
}

/** In version 3 of the event stream, `output` settles when the run ends. */
async function watchRun(stream: unknown, run: HostRun): Promise<unknown> {
  try {
    const streaming = (await stream) as { readonly output?: Promise<unknown> };
    Promise.resolve(streaming.output).then(
      () => run.end(),
      (error) => endWith(run, error),
    );
    return streaming;
  } catch (error) {
    throw await endWith(run, error);
  }
}

/** Wraps a stream in one of the same class. It ends the run when the source ends, and fails with the run's error. */
function watched(source: ReadableStream, run: HostRun): ReadableStream {
  const reader = source.getReader();
  const Stream = iterableClassOf(source);
  return new Stream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        const error = await run.end();
        if (error) controller.error(error);
        else controller.close();
      } catch (error) {
        controller.error(await endWith(run, error));
      }
    },
    async cancel(reason) {
      run.cancel();
      await reader.cancel(reason);
      await run.end();
    },
  });
}

/** Returns the stream class of LangChain that is also an iterator. Its constructor accepts the same source as `ReadableStream`. */
function iterableClassOf(source: ReadableStream): typeof ReadableStream {
  let found: unknown = source.constructor;
  while (typeof found === 'function' && !Object.hasOwn(found, 'fromReadableStream'))
    found = Object.getPrototypeOf(found);
  return (typeof found === 'function' ? found : ReadableStream) as typeof ReadableStream;
}
