import type { HostAnswer, HostedRunOptions } from '../../loops/loop-run.ts';

/** Options of a run. Set them in `withHooks` for all runs. */
export interface CallOptions extends HostedRunOptions {
  /** Answers to pending calls by call id, in addition to those in the state. They can edit the input. */
  readonly answers?: Readonly<Record<string, Omit<HostAnswer, 'pending'>>>;
  /** Names of tools that may run without hooks: hosted tools, computer and shell tools, and agents used as tools. */
  readonly unhooked?: readonly string[];
}
