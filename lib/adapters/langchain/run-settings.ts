import type { LoopRunOptions } from '../../loops/loop-run.ts';

/** Who runs, and how; `hookline` has some of it for all runs, `configurable.hookline` for one. */
export interface RunSettings extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes' | 'resumedFrom'> {
  readonly agent: string;
  /** Shows text only when it has settled, so that streams have what postReasoning makes of a whole message, and nothing of a rejected one. */
  readonly buffer?: boolean;
}
