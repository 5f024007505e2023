import * as strands from '@strands-agents/sdk';

export interface Turn {
  readonly chunks?: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  /** Thinking before the text, with the provider's signature. */
  readonly thought?: { readonly text: string; readonly signature: string };
  /** Further blocks, delta by delta. */
  readonly blocks?: readonly (readonly object[])[];
  readonly stopReason?: string;
  /** Events at the end. */
  readonly events?: readonly object[];
  readonly error?: Error;
}

interface Asked {
  readonly messages: readonly strands.Message[];
  readonly options: { readonly [option: string]: unknown };
}

/** A model that follows a script and records its requests. */
export class ScriptedModel extends strands.Model {
  readonly asked: Asked[] = [];
  readonly #turns: readonly Turn[];

  constructor(turns: readonly Turn[]) {
    super();
    this.#turns = turns;
  }

  get prompts(): readonly string[] {
    return this.asked.map(({ messages, options }) => JSON.stringify([options['systemPrompt'], messages]));
  }

  updateConfig(): void {}

  getConfig() {
    return { modelId: 'scripted', contextWindowLimit: 100_000 };
  }

  override async *stream(messages: readonly strands.Message[], options: object = {}): AsyncGenerator<never> {
    this.asked.push({ messages, options: options as Asked['options'] });
    const turn = this.#turns[this.asked.length - 1];
    if (!turn) throw new Error(`asked ${this.asked.length} times, ${this.#turns.length} answers`);
    for (const event of eventsOf(turn)) yield event as never;
    if (turn.error) throw turn.error;
    yield {
      type: 'modelMetadataEvent',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      trace: turn,
    } as never;
    for (const event of turn.events ?? []) yield event as never;
  }
}

function* eventsOf({ chunks, calls = [], thought, blocks = [], stopReason, error }: Turn): Generator<object> {
  yield { type: 'modelMessageStartEvent', role: 'assistant' };
  if (thought) {
    const { text, signature } = thought;
    yield* block([
      { type: 'reasoningContentDelta', text },
      { type: 'reasoningContentDelta', signature },
    ]);
  }
  if (chunks) yield* block(chunks.map((text) => ({ type: 'textDelta', text })));
  for (const deltas of blocks) yield* block(deltas);
  for (const { id, name, input } of calls)
    yield* block([{ type: 'toolUseInputDelta', input: JSON.stringify(input) }], {
      type: 'toolUseStart',
      toolUseId: id,
      name,
    });
  if (!error)
    yield { type: 'modelMessageStopEvent', stopReason: stopReason ?? (calls.length > 0 ? 'toolUse' : 'endTurn') };
}

function* block(deltas: readonly object[], start?: object): Generator<object> {
  yield { type: 'modelContentBlockStartEvent', ...(start && { start }) };
  for (const delta of deltas) yield { type: 'modelContentBlockDeltaEvent', delta };
  yield { type: 'modelContentBlockStopEvent' };
}
