import type { CallOptions } from './call-options.ts';
import type { HostAi } from './host-ai.ts';

/** Options of a single call, in the field `hookline` of its options. */
export type HooklineCallOptions = Partial<Omit<CallOptions, 'agent'>>;

/**
 * Returns options of a single call, to spread into its options: `{ model, prompt, ...forCall({ sessionId }) }`. The type shows no fields, so the
 * SDK's types stay the same.
 */
export function forCall(options: HooklineCallOptions): object {
  return { hookline: options };
}

type AnyFunction = (...given: never) => unknown;

/** Options whose callbacks have the types of the function's own signature, which TypeScript tries first. */
type Typed<O> = { [K in keyof O]: Extract<O[K], AnyFunction> extends never ? O[K] : O[K] | AnyFunction };

/**
 * TypeScript cannot add an option to a generic function and keep its inference. With `hookline` written among the options, the result has the type
 * for any tools.
 */
type Hooked<F> = F extends (options: infer O) => infer R
  ? F & ((options: Typed<O> & { readonly hookline: HooklineCallOptions | undefined }) => R)
  : F;

/** The functions of the module `ai` that run with hooks. Their signatures are the same. */
export interface HookedAi<AI extends HostAi> {
  readonly generateText: Hooked<AI['generateText']>;
  readonly streamText: Hooked<AI['streamText']>;
  /** The agent class with hooks, in version 6 or later. */
  readonly ToolLoopAgent: AI['ToolLoopAgent'];
}
