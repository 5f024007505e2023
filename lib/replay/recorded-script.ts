import { isChunk } from '../events/chunk-text.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { isPrompt } from '../events/parts/messages.ts';
import type { ModelOptions } from '../events/parts/model-options.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import type { ToolItem } from '../pipeline/define/tool.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import type { RawScript } from './raw-script.ts';
import { conversationOf } from './recorded-conversation.ts';
import { OutputReader } from './recorded-outputs.ts';
import { type RecordedResumption, resumptionOf } from './recorded-resumption.ts';
import { type RecordedSteering, SteeringReader, unreadIn } from './recorded-steering.ts';
import type { TimedOutput } from './timed-output.ts';
import { beforeHooks } from './undo-steps.ts';

/** What a run received, as far as its recording tells. */
export interface RecordedScript {
  readonly run: RunInfo;
  /** Its events with the effects of hooks, without those of sub-agents. */
  readonly reports: readonly TraceReport[];
  readonly instructions: string | undefined;
  /** The default of `PreReasoning.model`. */
  readonly modelId: string | undefined;
  readonly modelOptions: ModelOptions;
  /** The conversation before the run. */
  readonly history: readonly Message[];
  readonly input: readonly Message[];
  /** The answers of the model, one for each request. */
  readonly answers: readonly TimedOutput<ModelChunk>[];
  readonly tools: readonly ToolDescription[];
  /** The outputs of tools by ID of the call, one for each attempt. */
  readonly outputs: ReadonlyMap<string, readonly TimedOutput<ToolItem>[]>;
  readonly maxIterations: number;
  readonly parallel: 'reads' | 'all';
  /** The messages of users that came during the run. */
  readonly steering: readonly RecordedSteering[];
  /** Where the run continued, if it was resumed. */
  readonly resumption: RecordedResumption | undefined;
  /** False if an input or answer may differ from what the run received, because the trace does not contain all values that hooks changed. */
  readonly exact: boolean;
}

/** Returns the runs of a recording, sub-agents included, in the order in which they began. Raw input replaces what the events tell. */
export function scriptsOf(
  reports: readonly TraceReport[],
  raw: ReadonlyMap<string, RawScript> = new Map(),
): readonly RecordedScript[] {
  const byRun = new Map<string, TraceReport[]>();
  for (const report of reports) {
    const { runId } = report.event.run;
    const own = byRun.get(runId);
    if (own) own.push(report);
    else byRun.set(runId, [report]);
  }
  return [...byRun].map(([runId, own]) => scriptOf(own, raw.get(runId)));
}

function scriptOf(reports: readonly TraceReport[], raw: RawScript | undefined): RecordedScript {
  const script = new ScriptReader();
  for (const report of reports) script.read(report);
  return script.end(reports, raw);
}

/** Reads the events of one run in order. */
class ScriptReader {
  #exact = true;
  #input: readonly Message[] = [];
  /** The input as the hooks left it, and as it is in the first request. */
  #settledInput: readonly Message[] = [];
  readonly #steering = new SteeringReader();
  #unanswered: readonly Message[] = [];
  #first: EventOf<'preReasoning'> | undefined;
  #maxIterations = Number.POSITIVE_INFINITY;
  #asked = 0;
  #attempt = 1;
  #chunks: { at: number; item: ModelChunk }[] = [];
  readonly #answers: TimedOutput<ModelChunk>[] = [];
  readonly #tools = new Map<string, ToolDescription>();
  readonly #outputs = new OutputReader();

  read({ event, steps }: TraceReport): void {
    switch (event.type) {
      case 'preCall':
        this.#input = this.#before(event, steps).messages;
        this.#settledInput = event.messages;
        break;
      case 'preReasoning':
        this.#ask(this.#before(event, steps));
        break;
      case 'reasoningChunk':
        this.#chunk(event);
        break;
      case 'postReasoning':
        if (event.finishReason !== 'responded') this.#answer(this.#before(event, steps), event.time ?? 0);
        break;
      case 'preActing':
        this.#callTool(event);
        this.#outputs.begin(event);
        break;
      case 'actingChunk':
        this.#outputs.chunk(event);
        break;
      case 'postActing':
        this.#outputs.settle(event, () => this.#before(event, steps).result);
        break;
      case 'error':
        this.#fail(event);
        break;
      case 'postCall':
        this.#limit(event.snapshot?.['maxIterations']);
        break;
      default:
    }
    if (!isChunk(event) && event.type !== 'postCall') this.#steering.pass(event);
  }

  end(reports: readonly TraceReport[], raw: RawScript | undefined): RecordedScript {
    const { run } = (reports[0] as TraceReport).event;
    const input = raw?.input ?? this.#input;
    const inputs = [this.#settledInput, input];
    const { instructions, history, messages } = conversationOf(
      raw?.conversation ?? this.#first?.messages ?? [],
      inputs,
    );
    const unread = unreadIn(reports);
    const isLater = this.#first === undefined && run.resumedFrom !== undefined && !this.#steering.hasStopped;
    const unanswered = isLater ? unread : this.#unanswered;
    const resumption = resumptionOf(reports, messages, unanswered, this.#maxIterations);
    return {
      run,
      reports,
      instructions,
      history,
      modelId: this.#first?.model,
      modelOptions: this.#first?.options ?? {},
      input,
      answers: raw?.answers ?? this.#answers,
      tools: [...this.#tools.values()],
      outputs: raw?.outputs ?? this.#outputs.outputs,
      maxIterations: this.#maxIterations,
      parallel: this.#outputs.overlapping ? 'all' : 'reads',
      steering: this.#steering.end(isLater ? [] : unread),
      resumption,
      exact: raw !== undefined || this.#exact,
    };
  }

  #before<E extends SettledEvent>(event: E, steps: TraceReport['steps']): E {
    const before = beforeHooks(event, steps);
    this.#exact &&= before.exact;
    return before.event;
  }

  #ask(event: EventOf<'preReasoning'>): void {
    this.#steering.ask(event, () => this.#saidBefore(event));
    if (!this.#first && event.purpose === 'step') this.#tools.clear();
    this.#first ??= event;
    this.#asked = event.time ?? 0;
    this.#attempt = 1;
    this.#chunks = [];
    for (const tool of event.tools) this.#tools.set(tool.name, tool);
    // A request without tools is the last one.
    if (event.purpose === 'summary') this.#maxIterations = Math.max(1, event.iteration - 1);
  }

  #chunk({ part, delta, block, toolCallId, last, time = 0, attempt }: EventOf<'reasoningChunk'>): void {
    // A later attempt retracts the output of earlier ones.
    if (attempt > this.#attempt) this.#chunks = [];
    this.#attempt = attempt;
    // A redactor holds text back, in the extreme until the last chunk.
    if (last && delta === '') return;
    const at = time - this.#asked;
    if (part !== 'toolInput') this.#chunks.push({ at, item: { type: part, delta, block } });
    else if (toolCallId !== undefined) this.#chunks.push({ at, item: { type: part, toolCallId, delta, block } });
  }

  #answer(event: EventOf<'postReasoning'>, time: number): void {
    const end = time - this.#asked;
    const { message, usage, finishReason } = event;
    const streamed = this.#chunks;
    const texts = message.parts.flatMap((part, block): ModelChunk[] =>
      part.type === 'text' || part.type === 'thinking'
        ? [{ type: part.type, delta: part.text, block, ...(part.metadata && { metadata: part.metadata }) }]
        : [],
    );
    // Chunks as they left the hooks. If they are not the reply, it is sent at once.
    const isWhole = textIn(streamed.map(({ item }) => item)) === textIn(texts);
    const calls = message.parts.flatMap((part, block): ModelChunk[] =>
      part.type === 'toolCall'
        ? [{ type: 'toolCall', toolCall: part.toolCall, block, ...(part.metadata && { metadata: part.metadata }) }]
        : [],
    );
    const finish: ModelChunk = { type: 'finish', finishReason, ...(usage && { usage }) };
    const rest = [...(isWhole ? [] : texts), ...calls, finish].map((item) => ({ at: end, item }));
    this.#answers.push({ items: isWhole ? [...streamed, ...rest] : rest, end });
    this.#chunks = [];
  }

  #fail(event: EventOf<'error'>): void {
    const { error } = event;
    const time = event.time ?? 0;
    if (event.phase === 'reasoning' && event.source === 'model') {
      const end = time - this.#asked;
      this.#answers.push({ items: this.#chunks, end, error });
      this.#chunks = [];
    }
    if (event.phase === 'acting' && event.source === 'tool') this.#outputs.fail(event.toolCall.id, event);
  }

  /** The messages of users before the first request. A resumed run may begin with those that came before it was suspended. */
  #saidBefore({ run, messages }: EventOf<'preReasoning'>): readonly Message[] {
    if (run.resumedFrom === undefined) return conversationOf(messages, [this.#settledInput, this.#input]).later;
    const said = messages.slice(messages.findLastIndex(({ role }) => role === 'tool') + 1).filter(isPrompt);
    if (this.#steering.hasStopped) return said;
    this.#unanswered = said;
    return [];
  }

  /** A run without a model request does not list its tools. */
  #callTool({ toolCall: { name }, permission, description }: EventOf<'preActing'>): void {
    if (this.#first || description === undefined || this.#tools.has(name)) return;
    this.#tools.set(name, { name, description, permission, inputSchema: { type: 'object' } });
  }

  /** A suspended run has the limit in its snapshot. */
  #limit(maxIterations: unknown): void {
    if (typeof maxIterations === 'number' && maxIterations > 0) this.#maxIterations = maxIterations;
  }
}

/** The text and thinking of chunks, by block. */
function textIn(chunks: readonly ModelChunk[]): string {
  const blocks = new Map<string, string>();
  for (const chunk of chunks) {
    if (chunk.type !== 'text' && chunk.type !== 'thinking') continue;
    const key = `${chunk.type} ${chunk.block}`;
    blocks.set(key, (blocks.get(key) ?? '') + chunk.delta);
  }
  return JSON.stringify([...blocks].filter(([, text]) => text !== ''));
}
