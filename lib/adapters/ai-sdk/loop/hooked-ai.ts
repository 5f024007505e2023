import type { CallOptions } from './call-options.ts';
import type { HostAi } from './host-ai.ts';

/** What one call may say for itself, as `hookline` among its options. */
export type HooklineCallOptions = Partial<Omit<CallOptions, 'agent'>>;

/** What one call says for itself, spread into its options: `{ model, prompt, ...forCall({ sessionId }) }`. It shows no members, so that they keep the types that they have without it. */
export function forCall(options: HooklineCallOptions): object {
  return { hookline: options };
}

type AnyFunction = (...given: never) => unknown;

/** Options whose callbacks have been typed by the function's own signature, which TypeScript tries first. */
type Typed<O> = { [K in keyof O]: Extract<O[K], AnyFunction> extends never ? O[K] : O[K] | AnyFunction };

/** Nothing can add an option to a generic function and keep what it infers: with `hookline` written among the options, the result is that of any tools. */
type Hooked<F> = F extends (options: infer O) => infer R
  ? F & ((options: Typed<O> & { readonly hookline: HooklineCallOptions | undefined }) => R)
  : F;

/** The functions of the module `ai` that have been given hooks; their signatures are the same. */
export interface HookedAi<AI extends HostAi> {
  readonly generateText: Hooked<AI['generateText']>;
  readonly streamText: Hooked<AI['streamText']>;
  /** From version 6 on: the class, whose agents run through the hooks. */
  readonly ToolLoopAgent: AI['ToolLoopAgent'];
}
