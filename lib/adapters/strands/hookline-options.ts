import type { HostedRunOptions } from '../../loops/loop-run.ts';

/** Options of `hookline`: the agent name in events, and settings for all runs. Settings of a single run are in `invocationState.hookline`. */
export interface HooklineOptions extends Omit<HostedRunOptions, 'resumedFrom'> {}
