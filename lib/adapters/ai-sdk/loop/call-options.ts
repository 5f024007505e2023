import type { HostAnswer, HostedRunOptions } from '../../../loops/loop-run.ts';

/** Options of a call. Set them in `withHooks` for all calls. */
export interface CallOptions extends HostedRunOptions {
  /** Answers to pending calls by tool call id, in addition to those in the messages. They can edit the input. */
  readonly answers?: Readonly<Record<string, Omit<HostAnswer, 'pending'>>>;
}
