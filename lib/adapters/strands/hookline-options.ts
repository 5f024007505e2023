import type { LoopRunOptions } from '../../loops/loop-run.ts';

/** Options of `hookline`: the agent name in events, and settings for all runs. Settings of a single run are in `invocationState.hookline`. */
export interface HooklineOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes' | 'resumedFrom'> {
  readonly agent: string;
  /**
   * If true, text is shown only after it has settled. Streams then contain the message as postReasoning settled it, and nothing of a rejected one.
   */
  readonly buffer?: boolean;
}
