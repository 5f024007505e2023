import { RunAborted } from '../../../loops/run-aborted.ts';
import type { HostCall } from '../loop/host-call.ts';
import type { AgentOptions } from './host-mastra.ts';

/** A run that has begun: what the agent is given for it, and its end, which gives why it was to stop, if it was. */
export interface Begun {
  readonly call: HostCall;
  readonly options: AgentOptions;
  end(error?: unknown): Promise<unknown>;
}

type Callback = (event: { readonly error?: unknown }) => unknown;

/** The callbacks by which Mastra tells how a stream has ended, before those of the user. */
export function endings({ end, options }: Begun): { readonly [callback: string]: Callback } {
  const before =
    (name: string): Callback =>
    async (event) => {
      await end(name === 'onError' ? event.error : undefined);
      return (options[name] as Callback | undefined)?.(event);
    };
  return Object.fromEntries(['onFinish', 'onAbort', 'onError'].map((name) => [name, before(name)]));
}

/** What a stream gives, which fails where a hook has aborted: Mastra takes that for an end, and tells nobody of runs that wait. */
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
  // Some are there before the stream has ended, so the run is not ended for them.
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
    // Whoever reads it hears of the abort; that nobody awaits it must not end the process.
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
