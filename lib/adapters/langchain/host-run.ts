import { HooklineError } from '../../errors.ts';
import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { keepKnown } from '../../loops/keep-known.ts';
import type { HostedRunOptions, LoopRun, LoopRunOptions } from '../../loops/loop-run.ts';
import { InterruptedRun } from '../../loops/pending/interrupted-run.ts';
import type { PendingCallRecord } from '../../loops/pending/pending-call-record.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import type { HostTool } from './host-langchain.ts';
import { fromHostMessage, readFields } from './messages.ts';
import type { CallsUnderWay } from './own-tool.ts';

/** Settings of a run. Pass them to `hookline` for all runs, or in `configurable.hookline` for one run. */
export interface RunSettings extends Omit<HostedRunOptions, 'resumedFrom'> {}

/** One run, for one invocation of an agent. It starts in `beforeAgent`, or with the call that it resumes. */
export class HostRun extends InterruptedRun<LoopRun> {
  readonly calls: CallsUnderWay = new Map();
  /** The known tools of the agent, by name. */
  readonly tools = new Map<string, HostTool>();
  readonly readMessages = keepKnown(fromHostMessage, readFields);
  readonly #own = new Map<HostTool, Tool>();
  /** If true, `hookedAgent` ends the run. */
  readonly watched: boolean;
  /** The number of calls that are in the middleware. */
  active = 0;
  /** If true, the graph reached its end. */
  concluded = false;
  ended = false;
  buffer = false;
  readonly #signal: AbortSignal | undefined;

  constructor(watched: boolean, signal?: AbortSignal) {
    super();
    this.watched = watched;
    this.#signal = signal;
  }

  get loop(): LoopRun | undefined {
    return this.started;
  }

  /** Returns the Hookline tool for a tool of LangChain. `make` runs once for each tool. */
  own(tool: HostTool, make: () => Tool): Tool {
    const made = this.#own.get(tool) ?? make();
    this.#own.set(tool, made);
    return made;
  }

  /** Starts the run with the agent's input messages. */
  begin(pipeline: Pipeline, settings: RunSettings, messages: readonly Message[]): ReturnType<LoopRun['begin']> {
    const begun = this.start(pipeline, settings, {}).begin(messages);
    this.beginning = begun.then(() => this.started as LoopRun);
    this.beginning.catch(() => {});
    return begun;
  }

  /** Returns the started run. If this invocation did not start it, the run resumes the run `from`. */
  going(
    pipeline: Pipeline,
    settings: RunSettings,
    from: string | undefined,
    pending?: PendingCallRecord,
  ): Promise<LoopRun> {
    return this.startedOr(() => this.resume(pipeline, settings, from, pending));
  }

  /** Emits postCall. Returns the error to reject with, or `undefined`. */
  async end(ending: { readonly error?: unknown; readonly outcome?: 'suspended' } = {}): Promise<unknown> {
    this.ended = true;
    await this.beginning?.catch(() => {});
    const waits = this.suspended && !this.concluded;
    await this.started?.end({ ...(waits && { outcome: 'suspended' }), ...ending });
    const reason: unknown = this.started?.signal.reason;
    return reason instanceof HooklineError ? reason : ending.error;
  }

  /** Emits postCall for a graph that has reached its end. */
  async conclude(): Promise<EventOf<'postCall'> | undefined> {
    this.concluded = true;
    this.ended = true;
    return this.started?.end();
  }

  private async resume(
    pipeline: Pipeline,
    settings: RunSettings,
    from: string | undefined,
    pending: PendingCallRecord | undefined,
  ): Promise<LoopRun> {
    const loop = this.start(pipeline, settings, {
      ...(from !== undefined && { resumedFrom: from }),
      ...(pending && { resumes: pending }),
    });
    const { answer } = await loop.begin([]);
    if (answer)
      (pipeline.options.log ?? consoleLogger).warn({}, 'preCall cannot respond to a resumed run: the run continues');
    return loop;
  }

  private start(pipeline: Pipeline, settings: RunSettings, from: Partial<LoopRunOptions>): LoopRun {
    const { buffer = false, ...options } = settings;
    this.buffer = buffer;
    this.started = startLoopRun(pipeline, { ...options, ...from, ...(this.#signal && { signal: this.#signal }) });
    return this.started;
  }
}
