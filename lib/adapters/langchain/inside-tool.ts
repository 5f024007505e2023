import type { HostConfig, HostLangChain } from './host-langchain.ts';

type Plain = (func: (...given: readonly unknown[]) => unknown, name: string, given: readonly unknown[]) => unknown;
type Send = (writes: readonly (readonly [channel: string, value: unknown])[]) => void;

/**
 * Returns the configuration for work inside a tool. It has no access to LangChain's streams, handlers, state or run. Interrupts of the tool and
 * checkpoints of nested agents still work.
 */
export function insideConfig({ config: _, ...given }: HostConfig, writer: (value: unknown) => void): HostConfig {
  const { __hookline, __pregel_stream, __pregel_call: call, __pregel_send: send, ...rest } = given.configurable ?? {};
  const configurable = {
    ...rest,
    writer,
    ...(typeof call === 'function' && { __pregel_call: callPlainly }),
    ...(typeof send === 'function' && { __pregel_send: onlyAnswers(send as Send) }),
  };
  return { ...given, callbacks: [], writer, configurable };
}

/** A LangGraph task would join the host's graph, which shows the results of its tasks. */
const callPlainly: Plain = async (func, _, given) => await func(...given);

/** State updates that a tool sends itself bypass the hooks, so they are dropped. Recorded answers are forwarded. */
function onlyAnswers(send: Send): Send {
  return (writes) => {
    const answers = writes.filter(([channel]) => channel === '__resume__');
    if (answers.length > 0) send(answers);
  };
}

/**
 * Runs `work` so that everything LangChain inherits comes from `config`. Tracers are not inherited through callbacks, and environment variables can
 * create them. A tracer without output replaces them, and the work inherits no trace.
 */
export async function inside<T>(langchain: HostLangChain, config: HostConfig, work: () => Promise<T>): Promise<T> {
  // LangChain may never settle a call that starts with an aborted signal.
  (config as { readonly signal?: AbortSignal }).signal?.throwIfAborted();
  const step = (callbacks: readonly object[], next: () => Promise<T>): Promise<T> =>
    langchain
      .tool(next, { name: 'inside', description: 'inside', schema: { type: 'object' } })
      .func({}, undefined, { ...config, callbacks });
  return step([silentTracer], () => step([], work));
}

const silentTracer = {
  name: 'langchain_tracer',
  updateFromRunTree(): void {},
  getRunTreeWithTracingConfig(): void {},
};
