import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { FinishReason } from '../../events/post-reasoning.ts';
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
  /** What goes with the text as it was: signatures, sources. */
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

/** What the host's model has said by itself. */
export class RawReply {
  stopReason: string | undefined;
  /** Blocks whose place has been written. */
  #told = 0;
  metadata: HostModelEvent | undefined;
  /** What a guardrail of the provider puts in the place of a message. */
  redaction: HostModelEvent | undefined;
  readonly #blocks: Block[] = [];

  /** Takes an event; what is text or thinking of it, or ends them, is for hooks. */
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

  /** What comes when the model has said all. */
  end(): ModelChunk {
    if (this.stopReason === undefined) throw new Error('the stream of the model ended without a message');
    const usage = usageOf(this.metadata);
    return { type: 'finish', finishReason: ENDS[this.stopReason] ?? 'other', ...(usage && { usage }) };
  }

  /** What goes with a block of which `shown` has left the hooks; nothing where they have changed it. */
  extrasOf(block: number, shown: string): readonly Delta[] {
    const { text, extras } = this.#blocks[block] ?? { text: '', extras: [] };
    return text === shown ? extras : [];
  }

  /** The ids of the calls that the model has made. */
  get callIds(): readonly string[] {
    return this.#blocks.flatMap(({ call }) => (call ? [call.toolUseId] : []));
  }

  /** Blocks before that one that say nothing to hooks, each once: thoughts that the provider has encrypted or left out. */
  takeSilent(before: number): readonly (readonly Delta[])[] {
    const from = this.#told;
    this.#told = Math.max(from, Math.min(before, this.#blocks.length));
    return this.#blocks.slice(from, this.#told).flatMap(({ text, call, extras }) => {
      const encrypted = extras.filter(({ type }) => type === 'reasoningContentDelta');
      return text === '' && !call && encrypted.length > 0 ? [encrypted] : [];
    });
  }

  /** What the provider has signed a thought with, where hooks have left it. */
  signatureOf(thought: string): string | undefined {
    const block = this.#blocks.find(({ text, call }) => text === thought && !call);
    return block?.extras.find(({ signature }) => signature !== undefined)?.signature;
  }

  /** How a call begins, with its signature where hooks have left it. */
  startOf(call: ToolCall): ToolStart {
    const signature = this.sameCall(call)?.call?.reasoningSignature;
    return {
      type: 'toolUseStart',
      name: call.name,
      toolUseId: call.id,
      ...(signature !== undefined && { reasoningSignature: signature }),
    };
  }

  /** What the host gets as the input of a call. Arguments that are no object stay none, so that nothing runs with them. */
  inputOf(call: ToolCall): unknown {
    if (call.inputError === undefined) return call.input;
    const same = this.sameCall(call);
    return same ? argumentsOf(same) : null;
  }

  /** The block of a call that hooks have left. */
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
    // Hooks have not seen the words of a source.
    const citations = delta.citations?.map((one) => ({ ...one, sourceContent: [] }));
    if (citations) block.extras.push({ type, citations, content: [] });
    else if (signature !== undefined || redactedContent !== undefined)
      block.extras.push({
        type,
        ...(signature !== undefined && { signature }),
        ...(redactedContent !== undefined && { redactedContent }),
      });
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

/** What a model says with its sources, where it says both at once. */
function textOfCited({ content = [] }: Delta): string {
  return content.map(({ text = '' }) => text).join('');
}

function usageOf(metadata: HostModelEvent | undefined): Usage | undefined {
  const usage = metadata?.['usage'] as { readonly [member: string]: number } | undefined;
  const { inputTokens, outputTokens, cacheReadInputTokens: cached } = usage ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) };
}
