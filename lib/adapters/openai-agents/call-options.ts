import type { HostAnswer, LoopRunOptions } from '../../loops/loop-run.ts';

/** Who calls, and how; `withHooks` has some of it for all runs. */
export interface CallOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes'> {
  /** The name of the agent in events. */
  readonly agent: string;
  /** Shows text only when it has settled, so that streams have what postReasoning makes of a whole message, and nothing of a rejected one. */
  readonly buffer?: boolean;
  /** Answers to calls that wait, by id of the call, beside those in the state; they may edit the input. */
  readonly answers?: Readonly<Record<string, Omit<HostAnswer, 'held'>>>;
  /** Names of tools that may run without hooks: those of the provider, of the computer or a shell, and agents that have been made a tool. */
  readonly unhooked?: readonly string[];
}
