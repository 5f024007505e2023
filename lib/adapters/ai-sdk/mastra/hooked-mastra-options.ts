import type { LoopRunOptions } from '../../../loops/loop-run.ts';

/** Options of `hookedMastra`: the agent's name in events, and what holds for all runs. */
export interface HookedMastraOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes' | 'resumedFrom'> {
  readonly agent: string;
  /** Shows text only when it has settled, so that streams have what postReasoning makes of a whole message, and nothing of a rejected one. */
  readonly buffer?: boolean;
  /** Names of tools that may run without hooks: those that Mastra adds by itself, for agents, workflows or a memory. */
  readonly unhooked?: readonly string[];
}

/** What one invocation may say for itself, as `hookline` among its options. */
export type HookedMastraCallOptions = Partial<Omit<HookedMastraOptions, 'agent' | 'unhooked'>>;

/** What one invocation says for itself, spread into its options: `{ maxSteps, ...forCall({ sessionId }) }`. It shows no members, so that they keep the types that they have without it. */
export function forCall(options: HookedMastraCallOptions): object {
  return { hookline: options };
}
