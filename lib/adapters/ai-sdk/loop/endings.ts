import { HooklineError } from '../../../errors.ts';
import { RunAborted } from '../../../loops/run-aborted.ts';
import { type HostAi, type HostOptions, versionOf } from './host-ai.ts';
import type { HostCall } from './host-call.ts';

/** Runs a call of `generateText`. Rejects with the hook's decision if the SDK treats an abort as a normal end. */
export async function generating(call: HostCall, work: () => PromiseLike<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await work();
  } catch (thrown) {
    const reason = await call.end(thrown);
    // The host expects errors of its model unchanged.
    throw reason instanceof RunAborted ? reason : thrown;
  }
  const reason = await call.end();
  if (reason instanceof HooklineError) throw reason;
  return result;
}

type Callback = (event: never) => unknown;

/** Returns the callbacks with which versions 5 to 7 report the end of a stream. They run before the user's callbacks. */
export function endings(ai: HostAi, call: HostCall, given: HostOptions): { readonly [callback: string]: Callback } {
  const before =
    (name: string, end: (event: { readonly error?: unknown }) => Promise<unknown>): Callback =>
    async (event) => {
      await end(event);
      return (given[name] as Callback | undefined)?.(event);
    };
  const usual = versionOf(ai) === 7 ? 'onEnd' : 'onFinish';
  const named = ['onEnd', 'onFinish'].filter((name) => given[name] !== undefined);
  const whole = (named.length > 0 ? named : [usual]).map((name) => [name, before(name, () => call.end())] as const);
  const { onStepFinish } = given as { readonly onStepFinish?: Callback };
  return {
    ...Object.fromEntries(whole),
    // Version 5 calls no further callback after an error.
    ...(versionOf(ai) === 5 &&
      onStepFinish && {
        async onStepFinish(event: never) {
          try {
            return await onStepFinish(event);
          } catch (thrown) {
            await call.end(thrown);
            throw thrown;
          }
        },
      }),
    onAbort: before('onAbort', () => call.end()),
    onError: before('onError', async ({ error }) => {
      await call.end(error);
      // The default of the SDK without an `onError` callback.
      if (given['onError'] === undefined) console.error(error);
    }),
  };
}
