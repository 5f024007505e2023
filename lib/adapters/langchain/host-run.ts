import { HooklineError } from '../../errors.ts';
import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { HeldCall } from '../../loops/held/held-call.ts';
import { takeHeldCall } from '../../loops/held/held-calls.ts';
import type { LoopRun, LoopRunOptions } from '../../loops/loop-run.ts';
import { startLoopRun } from '../../loops/start-loop-run.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import type { HostTool } from './host-langchain.ts';
import type { CallsUnderWay } from './own-tool.ts';

/** Who runs, and how; `hookline` has some of it for all runs, `configurable.hookline` for one. */
export interface RunSettings extends Omit<LoopRunOptions, 'agent' | 'signal' | 'resumes' | 'resumedFrom'> {
  readonly agent: string;
  /** Shows text only when it has settled, so that streams have what postReasoning makes of a whole message, and nothing of a rejected one. */
  readonly buffer?: boolean;
}

/** One invocation of an agent: one run. It begins in `beforeAgent`, or with the call that is gone on with. */
export class HostRun {
  readonly calls: CallsUnderWay = new Map();
  /** Tools of the agent, by name, as far as they are known. */
  readonly tools = new Map<string, HostTool>();
  readonly #own = new Map<HostTool, Tool>();
  /** Whether somebody outside the graph tells its end. */
  readonly watched: boolean;
  /** Calls that are in the middleware now. */
  active = 0;
  /** Whether the graph waits for an answer. */
  suspended = false;
  /** Whether the graph has come to its end by itself. */
  concluded = false;
  ended = false;
  buffer = false;
  #loop: LoopRun | undefined;
  #begun: Promise<LoopRun> | undefined;
  #resumes = false;
  readonly #signal: AbortSignal | undefined;

  constructor(watched: boolean, signal?: AbortSignal) {
    this.watched = watched;
    this.#signal = signal;
  }

  get loop(): LoopRun | undefined {
    return this.#loop;
  }

  /** A tool of the host as the run knows it, made once. */
  own(tool: HostTool, make: () => Tool): Tool {
    const made = this.#own.get(tool) ?? make();
    this.#own.set(tool, made);
    return made;
  }

  /** Begins the run with what the agent was given. */
  begin(pipeline: Pipeline, settings: RunSettings, messages: readonly Message[]): ReturnType<LoopRun['begin']> {
    const begun = this.start(pipeline, settings, {}).begin(messages);
    this.#begun = begun.then(() => this.#loop as LoopRun);
    this.#begun.catch(() => {});
    return begun;
  }

  /** The run, begun; where it has not begun in this invocation, it goes on from `from`. */
  going(pipeline: Pipeline, settings: RunSettings, from: string | undefined, held?: HeldCall): Promise<LoopRun> {
    this.#begun ??= this.resume(pipeline, settings, from, held);
    return this.#begun;
  }

  /** Whether the call waits in the store: only a run that goes on has such calls. */
  get resumes(): boolean {
    return this.#begun === undefined || this.#resumes;
  }

  /** Takes a call out of the store where it waits. */
  async take(settings: RunSettings, toolCallId: string): Promise<HeldCall | undefined> {
    return this.resumes ? await takeHeldCall(settings.held, settings, toolCallId) : undefined;
  }

  async keep(settings: RunSettings, held: HeldCall): Promise<void> {
    await settings.held?.keep(settings, held);
  }

  /** postCall. Gives what the host is to reject with, where that is not what it says itself. */
  async end(ending: { readonly error?: unknown; readonly outcome?: 'suspended' } = {}): Promise<unknown> {
    this.ended = true;
    await this.#begun?.catch(() => {});
    const waits = this.suspended && !this.concluded;
    await this.#loop?.end({ ...(waits && { outcome: 'suspended' }), ...ending });
    const reason: unknown = this.#loop?.signal.reason;
    return reason instanceof HooklineError ? reason : ending.error;
  }

  /** postCall of a graph that has come to its end. */
  async conclude(): Promise<EventOf<'postCall'> | undefined> {
    this.concluded = true;
    this.ended = true;
    return this.#loop?.end();
  }

  cancel(): void {
    this.#loop?.run.cancel('the stream was left');
  }

  private async resume(
    pipeline: Pipeline,
    settings: RunSettings,
    from: string | undefined,
    held: HeldCall | undefined,
  ): Promise<LoopRun> {
    this.#resumes = true;
    const loop = this.start(pipeline, settings, {
      ...(from !== undefined && { resumedFrom: from }),
      ...(held && { resumes: held }),
    });
    const { answer } = await loop.begin([]);
    if (answer)
      (pipeline.options.log ?? consoleLogger).warn({}, 'a run that goes on cannot be answered in preCall: it goes on');
    return loop;
  }

  private start(pipeline: Pipeline, settings: RunSettings, from: Partial<LoopRunOptions>): LoopRun {
    const { buffer = false, ...options } = settings;
    this.buffer = buffer;
    this.#loop = startLoopRun(pipeline, { ...options, ...from, ...(this.#signal && { signal: this.#signal }) });
    return this.#loop;
  }
}
