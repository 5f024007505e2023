import type { HostedRunOptions } from '../../loops/loop-run.ts';

/** Options of `hookedMastra`: the agent's name in events, and settings for all runs. */
export interface HookedMastraOptions extends Omit<HostedRunOptions, 'resumedFrom'> {
  /** Names of tools that may run without hooks, such as those that Mastra adds for agents, workflows or memory. */
  readonly unhooked?: readonly string[];
}

/** Options of a single invocation, in the field `hookline` of its options. */
export type HookedMastraCallOptions = Partial<Omit<HookedMastraOptions, 'agent' | 'unhooked'>>;

/**
 * Returns options of a single invocation, to spread into its options: `{ maxSteps, ...forCall({ sessionId }) }`. The type shows no fields, so
 * Mastra's types stay the same.
 */
export function forCall(options: HookedMastraCallOptions): object {
  return { hookline: options };
}
