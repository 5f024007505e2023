import type { HostAnswer, LoopRunOptions } from '../../../loops/loop-run.ts';

/** Who calls, and how; `withHooks` has some of it for all calls. */
export interface CallOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes'> {
  readonly agent: string;
  /** Shows text only when it has settled, so that streams have what postReasoning makes of a whole message, and nothing of a rejected one. */
  readonly buffer?: boolean;
  /** Answers to calls that wait, by tool call id, beside those in the messages; they may edit the input. */
  readonly answers?: Readonly<Record<string, Omit<HostAnswer, 'held'>>>;
}
