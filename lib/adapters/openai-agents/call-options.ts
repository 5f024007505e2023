import type { HostAnswer, LoopRunOptions } from '../../loops/loop-run.ts';

/** Options of a run. Set them in `withHooks` for all runs. */
export interface CallOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes'> {
  /** The agent name in events. */
  readonly agent: string;
  /**
   * If true, text is shown only after it has settled. Streams then contain the message as postReasoning settled it, and nothing of a rejected one.
   */
  readonly buffer?: boolean;
  /** Answers to pending calls by call id, in addition to those in the state. They can edit the input. */
  readonly answers?: Readonly<Record<string, Omit<HostAnswer, 'pending'>>>;
  /** Names of tools that may run without hooks: hosted tools, computer and shell tools, and agents used as tools. */
  readonly unhooked?: readonly string[];
}
