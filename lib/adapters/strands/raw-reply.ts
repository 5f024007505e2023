import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { toToolCall } from '../../loops/to-tool-call.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import type { HostModelEvent } from './host-strands.ts';

interface Delta {
  readonly type: string;
  readonly text?: string;
  readonly signature?: string;
  readonly input?: string;
  readonly redactedContent?: unknown;
  readonly citations?: readonly object[];
  readonly content?: readonly { readonly text?: string }[];
}

interface Block {
  text: string;
  /** Data that belongs to unchanged text: signatures and citations. */
  readonly extras: Delta[];
  json: string;
  readonly call?: Omit<ToolStart, 'type'>;
}

interface ToolStart {
  readonly type: string;
  readonly toolUseId: string;
  readonly name: string;
  readonly reasoningSignature?: string;
}

const ENDS: Readonly<Record<string, FinishReason>> = {
  endTurn: 'stop',
  stopSequence: 'stop',
  toolUse: 'toolCalls',
  maxTokens: 'length',
  contentFiltered: 'contentFilter',
  guardrailIntervened: 'contentFilter',
  refusal: 'contentFilter',
};

/** The raw reply of the Strands model. */
export class RawReply {
  stopReason: string | undefined;
  /** The number of blocks that are already written. */
  #reported = 0;
  metadata: HostModelEvent | undefined;
  /** The replacement for a message from the provider's guardrail. */
  redaction: HostModelEvent | undefined;
  readonly #blocks: Block[] = [];

  /** Reads an event. Returns chunks for the start, content and end of text and thinking. */
  read(event: HostModelEvent): ModelChunk[] {
    const block = this.#blocks.length - 1;
    const last = this.#blocks.at(-1);
    switch (event.type) {
      case 'modelContentBlockStartEvent':
        this.#blocks.push({
          text: '',
          extras: [],
          json: '',
          ...(event['start'] ? { call: event['start'] as never } : {}),
        });
        return [];
      case 'modelContentBlockDeltaEvent':
        return last ? this.delta(event['delta'] as Delta, last, block) : [];
      case 'modelContentBlockStopEvent':
        if (last?.call) return [this.callOf(last, block)];
        return last?.text ? [{ type: 'blockEnd', block }] : [];
      case 'modelMessageStopEvent':
        this.stopReason = String(event['stopReason']);
        return [];
      case 'modelMetadataEvent':
        this.metadata = event;
        return [];
      case 'modelRedactionEvent':
        this.redaction = event;
        return [];
      default:
        return [];
    }
  }

  /** Returns the last chunk of the reply. */
  end(): ModelChunk {
    if (this.stopReason === undefined) throw new Error('the stream of the model ended without a message');
    const usage = usageOf(this.metadata);
    return { type: 'finish', finishReason: ENDS[this.stopReason] ?? 'other', ...(usage && { usage }) };
  }

  /** Returns the extra data of a block whose settled text is `shown`. Returns none if hooks changed the text. */
  extrasOf(block: number, shown: string): readonly Delta[] {
    const { text, extras } = this.#blocks[block] ?? { text: '', extras: [] };
    return text === shown ? extras : [];
  }

  get callIds(): readonly string[] {
    return this.#blocks.flatMap(({ call }) => (call ? [call.toolUseId] : []));
  }

  /** Returns earlier blocks without text for hooks, each once: thoughts that the provider encrypted or omitted. */
  takeSilent(before: number): readonly (readonly Delta[])[] {
    const from = this.#reported;
    this.#reported = Math.max(from, Math.min(before, this.#blocks.length));
    return this.#blocks.slice(from, this.#reported).flatMap(({ text, call, extras }) => {
      const encrypted = extras.filter(({ type }) => type === 'reasoningContentDelta');
      return text === '' && !call && encrypted.length > 0 ? [encrypted] : [];
    });
  }

  /** Returns the provider's signature of a thought, if no hook changed it. */
  signatureOf(thought: string): string | undefined {
    const block = this.#blocks.find(({ text, call }) => text === thought && !call);
    return block?.extras.find(({ signature }) => signature !== undefined)?.signature;
  }

  /** Returns the start of a call, with its signature if no hook changed the call. */
  startOf(call: ToolCall): ToolStart {
    const signature = this.sameCall(call)?.call?.reasoningSignature;
    return {
      type: 'toolUseStart',
      name: call.name,
      toolUseId: call.id,
      ...(signature !== undefined && { reasoningSignature: signature }),
    };
  }

  /** Returns the input of a call for Strands. Arguments that are not an object stay as they are, so that the tool does not run with others. */
  inputOf(call: ToolCall): unknown {
    if (call.inputError === undefined) return call.input;
    const same = this.sameCall(call);
    return same ? argumentsOf(same) : null;
  }

  /** Returns the block of a call that no hook changed. */
  private sameCall(call: ToolCall): Block | undefined {
    const raw = this.#blocks.find(({ call: start }) => start?.toolUseId === call.id);
    if (!raw || raw.call?.name !== call.name) return undefined;
    const { input, inputError } = toToolCall(call.id, call.name, argumentsOf(raw));
    const same = inputError === call.inputError && JSON.stringify(input) === JSON.stringify(call.input);
    return same ? raw : undefined;
  }

  private delta(delta: Delta, block: Block, index: number): ModelChunk[] {
    if (delta.type === 'toolUseInputDelta') {
      block.json += delta.input ?? '';
      return [];
    }
    const { type, text = textOfCited(delta), signature, redactedContent } = delta;
    block.text += text;
    // Hooks did not see the text of a source.
    const citations = delta.citations?.map((one) => ({ ...one, sourceContent: [] }));
    if (citations) block.extras.push({ type, citations, content: [] });
    else if (signature !== undefined || redactedContent !== undefined)
      block.extras.push(withoutUndefined({ type, signature, redactedContent }));
    return text === ''
      ? []
      : [{ type: type === 'reasoningContentDelta' ? 'thinking' : 'text', delta: text, block: index }];
  }

  private callOf(raw: Block, block: number): ModelChunk {
    const { toolUseId: id = '', name = '' } = raw.call ?? {};
    return { type: 'toolCall', toolCall: toToolCall(id, name, argumentsOf(raw)), block };
  }
}

function argumentsOf({ json }: Block): unknown {
  return JSON.parse(json || '{}');
}

/** Returns the text of an event that contains text and citations. */
function textOfCited({ content = [] }: Delta): string {
  return content.map(({ text = '' }) => text).join('');
}

function usageOf(metadata: HostModelEvent | undefined): Usage | undefined {
  const usage = metadata?.['usage'] as { readonly [field: string]: number } | undefined;
  const { inputTokens, outputTokens, cacheReadInputTokens: cached } = usage ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) };
}
