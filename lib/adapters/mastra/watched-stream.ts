import { RunAborted } from '../../loops/run-aborted.ts';
import type { HostCall } from '../ai-sdk/loop/host-call.ts';
import type { AgentOptions } from './host-mastra.ts';

/** A started run: the options for the agent, and a function that ends the run. It returns the reason of the abort, if there is one. */
export interface Begun {
  readonly call: HostCall;
  readonly options: AgentOptions;
  end(error?: unknown): Promise<unknown>;
}

type Callback = (event: { readonly error?: unknown }) => unknown;

/** Returns the callbacks with which Mastra reports the end of a stream. They run before the user's callbacks. */
export function endings({ end, options }: Begun): { readonly [callback: string]: Callback } {
  const before =
    (name: string): Callback =>
    async (event) => {
      await end(name === 'onError' ? event.error : undefined);
      return (options[name] as Callback | undefined)?.(event);
    };
  return Object.fromEntries(['onFinish', 'onAbort', 'onError'].map((name) => [name, before(name)]));
}

/** Wraps a stream so that it fails if a hook aborted. Mastra treats an abort as a normal end, and does not report suspended runs. */
export function watchedStream(output: object, { call, end }: Begun): object {
  const conclude = async (): Promise<void> => {
    const reason = await end();
    if (reason instanceof RunAborted) throw reason;
  };
  const ending = (source: ReadableStream): ReadableStream =>
    source.pipeThrough(new TransformStream({ flush: conclude }));
  const after = async <T>(promise: Promise<T>): Promise<T> => {
    const value = await promise;
    await conclude();
    return value;
  };
  // Some results are available before the stream has ended, so they do not end the run.
  const unlessAborted = async (promise: Promise<unknown>): Promise<unknown> => {
    const value = await promise;
    call.signal.throwIfAborted();
    return value;
  };
  const promises = new Map<PropertyKey, Promise<unknown>>();
  const promised = (name: PropertyKey, value: Promise<unknown>): Promise<unknown> => {
    const known = promises.get(name);
    if (known) return known;
    const made = name === 'text' ? after(value) : unlessAborted(value);
    // Readers of the promise receive the abort. If it has no reader, the rejection must not end the process.
    made.catch(() => {});
    promises.set(name, made);
    return made;
  };
  return new Proxy(output, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'fullStream' || name === 'textStream') return ending(value as ReadableStream);
      if (value instanceof Promise) return promised(name, value);
      if (typeof value !== 'function' || name === 'constructor') return value;
      if (name !== 'getFullOutput' && name !== 'consumeStream') return value.bind(target);
      return (...args: unknown[]) => after(value.apply(target, args));
    },
  });
}
