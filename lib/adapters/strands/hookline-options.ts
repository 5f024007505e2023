import type { LoopRunOptions } from '../../loops/loop-run.ts';

/** Options of `hookline`: the agent's name in events, and what holds for all runs; `invocationState.hookline` has the rest for one. */
export interface HooklineOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes' | 'resumedFrom'> {
  readonly agent: string;
  /** Shows text only when it has settled, so that streams have what postReasoning makes of a whole message, and nothing of a rejected one. */
  readonly buffer?: boolean;
}
