import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { textOf } from '../events/parts/messages.ts';
import type { ModelOptions } from '../events/parts/model-options.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import type { ToolItem } from '../pipeline/define/tool.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import type { RawScript } from './raw-script.ts';
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
  #first: EventOf<'preReasoning'> | undefined;
  #maxIterations = Number.POSITIVE_INFINITY;
  #overlapping = false;
  #asked = 0;
  #attempt = 1;
  #chunks: { at: number; item: ModelChunk }[] = [];
  readonly #answers: TimedOutput<ModelChunk>[] = [];
  readonly #tools = new Map<string, ToolDescription>();
  readonly #outputs = new Map<string, TimedOutput<ToolItem>[]>();
  /** Calls that have begun, with their time and chunks. */
  readonly #running = new Map<string, { begun: number; items: { at: number; item: string }[] }>();

  read({ event, steps }: TraceReport): void {
    switch (event.type) {
      case 'preCall':
        this.#input = this.#before(event, steps).messages;
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
        if (this.#running.size > 0 && event.permission !== 'read') this.#overlapping = true;
        this.#running.set(event.toolCall.id, { begun: event.time ?? 0, items: [] });
        break;
      case 'actingChunk':
        if (!event.last || event.content !== '')
          this.#running.get(event.toolCall.id)?.items.push({ at: event.time ?? 0, item: event.content });
        break;
      case 'postActing':
        this.#settle(event, steps);
        break;
      case 'error':
        this.#fail(event);
        break;
      default:
    }
  }

  end(reports: readonly TraceReport[], raw: RawScript | undefined): RecordedScript {
    this.#input = raw?.input ?? this.#input;
    const { instructions, history } = this.#conversation(raw?.conversation ?? this.#first?.messages ?? []);
    return {
      run: (reports[0] as TraceReport).event.run,
      reports,
      instructions,
      history,
      modelId: this.#first?.model,
      modelOptions: this.#first?.options ?? {},
      input: this.#input,
      answers: raw?.answers ?? this.#answers,
      tools: [...this.#tools.values()],
      outputs: raw?.outputs ?? this.#outputs,
      maxIterations: this.#maxIterations,
      parallel: this.#overlapping ? 'all' : 'reads',
      exact: raw !== undefined || this.#exact,
    };
  }

  #before<E extends SettledEvent>(event: E, steps: TraceReport['steps']): E {
    const before = beforeHooks(event, steps);
    this.#exact &&= before.exact;
    return before.event;
  }

  #ask(event: EventOf<'preReasoning'>): void {
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

  #settle(event: EventOf<'postActing'>, steps: TraceReport['steps']): void {
    const { id } = event.toolCall;
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (event.outcome !== 'executed' || !running) return;
    const { result } = this.#before(event as SettledEvent<EventOf<'postActing'>>, steps);
    const end = (event.time ?? 0) - running.begun;
    const items = running.items.map(({ at, item }) => ({ at: at - running.begun, item }));
    this.#output(id, { items: [...items, { at: end, item: result }], end });
  }

  #fail(event: EventOf<'error'>): void {
    const { error } = event;
    const time = event.time ?? 0;
    if (event.phase === 'reasoning' && event.source === 'model') {
      const end = time - this.#asked;
      this.#answers.push({ items: this.#chunks, end, error });
      this.#chunks = [];
    }
    if (event.phase !== 'acting' || event.source !== 'tool') return;
    const { begun, items } = this.#running.get(event.toolCall.id) ?? { begun: time, items: [] };
    const timed = items.map(({ at, item }) => ({ at: at - begun, item }));
    this.#output(event.toolCall.id, { items: timed, end: time - begun, error });
  }

  #output(id: string, output: TimedOutput<ToolItem>): void {
    this.#outputs.set(id, [...(this.#outputs.get(id) ?? []), output]);
  }

  /** The messages before the input of the run are its history, after the instructions. */
  #conversation(messages: readonly Message[]): Pick<RecordedScript, 'instructions' | 'history'> {
    const system = messages[0]?.role === 'system' ? messages[0] : undefined;
    const instructions = system && textOf(system);
    const rest = system ? messages.slice(1) : messages;
    const begin = JSON.stringify(this.#input[0]);
    const at = this.#input.length === 0 ? rest.length : rest.findLastIndex((one) => JSON.stringify(one) === begin);
    return { instructions, history: at < 0 ? [] : rest.slice(0, at) };
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
