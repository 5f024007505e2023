import type { HostAnswer, LoopRunOptions } from '../../../loops/loop-run.ts';

/** Options of a call. Set them in `withHooks` for all calls. */
export interface CallOptions extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes'> {
  readonly agent: string;
  /**
   * If true, text is shown only after it has settled. Streams then contain the message as postReasoning settled it, and nothing of a rejected one.
   */
  readonly buffer?: boolean;
  /** Answers to pending calls by tool call id, in addition to those in the messages. They can edit the input. */
  readonly answers?: Readonly<Record<string, Omit<HostAnswer, 'pending'>>>;
}
