import type { HostConfig, HostLangChain } from './host-langchain.ts';

type Plain = (func: (...given: readonly unknown[]) => unknown, name: string, given: readonly unknown[]) => unknown;
type Send = (writes: readonly (readonly [channel: string, value: unknown])[]) => void;

/**
 * What the host has given a call, for what goes on inside it: nothing here leads to a stream, a handler, the state or a run of the host's. What a
 * question needs that the tool asks, and where its agents keep their checkpoints, stays.
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

/** A task of LangGraph would be one of the host's graph, which shows what its tasks give. */
const callPlainly: Plain = async (func, _, given) => await func(...given);

/** What a tool sends to the state of the host's graph by itself has left no hooks; answers that it has had are no news to it. */
function onlyAnswers(send: Send): Send {
  return (writes) => {
    const answers = writes.filter(([channel]) => channel === '__resume__');
    if (answers.length > 0) send(answers);
  };
}

/**
 * Works where all that LangChain has its parts inherit from what runs around them is of `config`. Tracers are inherited by another way than its
 * callbacks, and new ones made by the environment: one that hears nothing stands in the place of theirs, and leaves no trace to go on with.
 */
export async function inside<T>(langchain: HostLangChain, config: HostConfig, work: () => Promise<T>): Promise<T> {
  // What LangChain runs by an aborted signal may never settle.
  (config as { readonly signal?: AbortSignal }).signal?.throwIfAborted();
  const step = (callbacks: readonly object[], next: () => Promise<T>): Promise<T> =>
    langchain
      .tool(next, { name: 'inside', description: 'inside', schema: { type: 'object' } })
      .func({}, undefined, { ...config, callbacks });
  return step([deaf], () => step([], work));
}

const deaf = {
  name: 'langchain_tracer',
  updateFromRunTree(): void {},
  getRunTreeWithTracingConfig(): void {},
};
