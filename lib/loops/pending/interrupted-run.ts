import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { HostAnswer, LoopCall, LoopJudgeOptions, LoopRun } from '../loop-run.ts';
import type { PendingCallRecord } from './pending-call-record.ts';
import { type PendingCallScope, type PendingCallStore, takePendingCall } from './pending-call-store.ts';

interface Settings extends PendingCallScope {
  readonly pendingCalls?: PendingCallStore;
}

/** How a host evaluates a call. */
export interface Judging {
  readonly settings: Settings;
  readonly call: ToolCall;
  readonly tools: readonly Tool[];
  readonly options: Omit<LoopJudgeOptions, 'answer'>;
  /** Returns the started run. If this call starts it, it resumes the pending call. */
  readonly going: (pending: PendingCallRecord | undefined) => Promise<LoopRun>;
  /**
   * Interrupts the host with the approval prompt, or returns the answer. `asked` is the number of earlier prompts of the call. `replayed` is the
   * number of their answers that the host gives again first.
   */
  readonly ask: (question: PendingCallRecord, asked: number, replayed: number) => Omit<HostAnswer, 'pending'>;
}

/** One run of a host that interrupts itself to ask for approval. With the answer, it runs the call again from its start. */
export abstract class InterruptedRun<Begun> {
  /** If true, the host waits for an answer. */
  suspended = false;
  protected started: LoopRun | undefined;
  protected beginning: Promise<Begun> | undefined;
  #resumes = false;

  /** Evaluates a call. Interrupts the host if an approver suspends it. */
  async judge({ settings, call, tools, options, going, ask }: Judging): Promise<LoopCall> {
    const pending = await this.take(settings, call.id);
    const loop = await going(pending);
    let asked = pending?.asked ?? 0;
    const prompt = (question: PendingCallRecord, replayed = 0): Omit<HostAnswer, 'pending'> => {
      try {
        return ask(question, asked++, replayed);
      } catch (interrupt) {
        this.suspended = true;
        throw interrupt;
      }
    };
    let answer: HostAnswer | undefined;
    try {
      answer = pending && { ...prompt(pending, asked), pending };
    } catch (interrupt) {
      if (pending) await settings.pendingCalls?.keep(settings, pending);
      throw interrupt;
    }
    for (;;) {
      const judged = await loop.judge(call, tools, { ...options, ...(answer && { answer }) });
      if (judged.state !== 'suspended') return judged;
      if (!judged.pending)
        throw new Error(`The call ${call.id} has a sub-agent with a pending call, which cannot be answered here.`);
      answer = prompt(judged.pending);
      // The answer came at once, so another process asked. This process does not have the call that was shown.
      await this.take(settings, call.id);
    }
  }

  /** The consumer has stopped reading the stream. */
  cancel(): void {
    this.started?.run.cancel('the consumer stopped reading the stream');
  }

  /** Returns the started run. If nothing has started it yet, `resume` does: this invocation resumes an earlier one. */
  protected startedOr(resume: () => Promise<Begun>): Promise<Begun> {
    if (!this.beginning) {
      this.#resumes = true;
      this.beginning = resume();
    }
    return this.beginning;
  }

  /** Removes a pending call from the store and returns it. Only a resumed run has such calls. */
  private async take(settings: Settings, toolCallId: string): Promise<PendingCallRecord | undefined> {
    if (this.beginning && !this.#resumes) return undefined;
    return takePendingCall(settings.pendingCalls, settings, toolCallId);
  }
}
