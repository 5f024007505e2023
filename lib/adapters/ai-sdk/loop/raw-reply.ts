import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ModelStepResult } from '../../../loops/loop-run.ts';
import type { ModelChunk } from '../../../pipeline/define/model.ts';
import type { SpecificationVersion, StreamPart } from '../language-model.ts';
import type { HostPart } from './host-ai.ts';
import { type Foreign, inPlace, type Settled } from './in-place.ts';
import { SentInputs } from './sent-inputs.ts';

/** A block of the model's raw reply. */
interface RawPart {
  readonly kind: MessagePart['type'];
  /** A text, a thought, or the JSON of a call. */
  text: string;
  metadata?: JsonObject;
  /** The id of a call in Hookline. */
  id?: string;
  /** The block's id in the model's stream. */
  stream?: string | undefined;
  /** The stream parts of a call's input. */
  input?: readonly StreamPart[];
  /** The model's own part, if the reply was not streamed. */
  own?: HostPart | undefined;
}

/** The raw reply of the SDK's model. Content that no hook changed is forwarded as the model sent it. */
export class RawReply {
  finish: StreamPart | undefined;
  readonly #parts = new Map<number, RawPart>();
  readonly #foreign: (Foreign & { readonly before: number })[] = [];
  readonly inputs = new SentInputs();
  /** The parts in order, once they have been sorted. */
  #sorted: readonly RawPart[] | undefined;

  /** Records a part. `own` is the part of a complete reply that it comes from. */
  note(part: StreamPart, chunks: readonly ModelChunk[], own?: HostPart): void {
    if (part.type === 'finish') this.finish = part;
    this.inputs.note(part, chunks);
    for (const chunk of chunks) {
      if (!('block' in chunk) || chunk.block === undefined || chunk.type === 'toolInput') continue;
      const rawPart = this.partOf(chunk.block, chunk.type, own);
      rawPart.stream ??= part.id;
      if (chunk.type === 'toolCall') this.noteCall(rawPart, chunk.toolCall, part as HostPart);
      else if ('delta' in chunk) rawPart.text += chunk.delta;
      if (chunk.metadata !== undefined) rawPart.metadata = chunk.metadata;
    }
  }

  /** Records content that hooks do not see, before the block with that number. */
  keep(foreign: HostPart | StreamPart, before: number): void {
    this.#foreign.push({ foreign: foreign as HostPart, before });
  }

  /** Returns true if no hook changed the reply. Otherwise, provider data such as log probabilities may contain text that a hook removed. */
  matches({ parts }: Message): boolean {
    const settled = parts.flatMap((part) => (part.type === 'text' || part.type === 'thinking' ? [part.text] : []));
    return (
      settled.join('') ===
      this.inOrder()
        .map(({ kind, text }) => (kind === 'toolCall' ? '' : text))
        .join('')
    );
  }

  /** Returns the provider data of a block whose text so far is `text`. */
  metadataOf(block: number, text: string): JsonObject | undefined {
    const rawPart = this.#parts.get(block);
    return rawPart?.text === text ? rawPart.metadata : undefined;
  }

  /** Returns the Hookline id of the call in a block. */
  callAt(block: number): string | undefined {
    return this.#parts.get(block)?.id;
  }

  /** Returns the model's id for a block. */
  idOf(block: number): string | undefined {
    return this.#parts.get(block)?.stream;
  }

  /** Returns the stream parts of a call's input. `left` is true if no hook changed the input. */
  inputOf(part: MessagePart): { readonly sent: readonly StreamPart[]; readonly left: boolean } {
    const rawPart = this.inOrder().find(({ id }) => id !== undefined && id === callIdOf(part));
    return { sent: rawPart?.input ?? [], left: rawPart?.text === textOf(part) };
  }

  /** Returns the provider data of a settled part. A changed part has none. */
  metadataWith(part: MessagePart): JsonObject | undefined {
    const { metadata } = part as { readonly metadata?: JsonObject };
    if (metadata === undefined) return undefined;
    const raw = this.inOrder().filter(({ kind }) => kind === part.type);
    const known = raw.filter((one) => JSON.stringify(one.metadata) === JSON.stringify(metadata));
    const text = textOf(part);
    if ((known.length > 0 ? known : raw).some((one) => one.text === text)) return metadata;
    const providers = new Set(raw.flatMap((one) => Object.keys(one.metadata ?? {})));
    const others = Object.entries(metadata).filter(([provider]) => !providers.has(provider));
    return others.length > 0 ? Object.fromEntries(others) : undefined;
  }

  /** Returns the model's own part, if no hook changed it. */
  own(part: MessagePart): HostPart | undefined {
    const text = textOf(part);
    const metadata = JSON.stringify((part as { readonly metadata?: JsonObject }).metadata);
    return this.inOrder().find(
      (one) => one.kind === part.type && one.text === text && JSON.stringify(one.metadata) === metadata,
    )?.own;
  }

  /** Returns the settled parts, with the content that hooks do not see at its position. */
  placed(parts: readonly MessagePart[]): readonly (Settled<RawPart> | Foreign)[] {
    const foreign = [...this.#foreign];
    const raw = [...this.#parts].sort(([a], [b]) => a - b);
    const slots = raw.flatMap(([block, rawPart]) => {
      const before = foreign.splice(0, foreign.filter((one) => one.before <= block).length);
      return [...before, { raw: rawPart }];
    });
    return inPlace<RawPart>([...slots, ...foreign], parts, {
      isOf: ({ kind, id, text }, part) =>
        kind === part.type && (id === undefined ? text === textOf(part) : id === callIdOf(part)),
      typeOf: ({ kind }) => kind,
    });
  }

  /**
   * Returns the finish reason in the format of the specification version. It is the model's own, unless a hook responded, ended the reply or changed
   * its calls.
   */
  ending({ message, finishReason, finished }: ModelStepResult, version: SpecificationVersion): Ending {
    const raw = this.finish?.finishReason;
    const known = typeof raw === 'string' ? raw : (raw as { unified?: string } | undefined)?.unified;
    const stopped = finished || finishReason === 'stopped' || finishReason === 'responded' || known === undefined;
    const wanted = this.endingBy(message, stopped ? 'stop' : known);
    return {
      finishReason: wanted === known ? raw : version === 'v2' ? wanted : { unified: wanted, raw: undefined },
      usage: this.finish?.usage ?? emptyUsage(version),
      ...(this.finish?.providerMetadata && this.matches(message) && { providerMetadata: this.finish.providerMetadata }),
    };
  }

  /** The SDK runs calls only for some finish reasons. Calls of a truncated reply must not run. */
  private endingBy({ parts }: Message, known: string): string {
    const ids = this.inOrder().flatMap(({ id }) => (id === undefined ? [] : [id]));
    const calls = parts.map(callIdOf).filter((id) => id !== undefined);
    if (calls.some((id) => !ids.includes(id))) return 'tool-calls';
    return known === 'tool-calls' && calls.length === 0 && ids.length > 0 ? 'stop' : known;
  }

  private partOf(block: number, kind: ModelChunk['type'], own: HostPart | undefined): RawPart {
    const known = this.#parts.get(block);
    if (known) return known;
    const part: RawPart = { kind: kind as RawPart['kind'], text: '', own };
    this.#parts.set(block, part);
    this.#sorted = undefined;
    return part;
  }

  /** The id of a call must be unique in its message. A duplicate gets another id for hooks. */
  private noteCall(rawPart: RawPart, toolCall: { readonly id: string }, part: HostPart): void {
    const ids = new Set(this.inOrder().map(({ id }) => id));
    let { id } = toolCall;
    for (let copy = 2; ids.has(id); copy++) id = `${toolCall.id}-${copy}`;
    rawPart.id = id;
    rawPart.text = JSON.stringify({ ...toolCall, id });
    rawPart.own = id === toolCall.id ? part : { ...part, toolCallId: id };
    rawPart.input = this.inputs.take(toolCall.id, id);
  }

  private inOrder(): readonly RawPart[] {
    this.#sorted ??= [...this.#parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    return this.#sorted;
  }
}

export interface Ending {
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly providerMetadata?: unknown;
}

function textOf(part: MessagePart): string {
  if (part.type === 'toolCall') return JSON.stringify(part.toolCall);
  return part.type === 'text' || part.type === 'thinking' ? part.text : '';
}

function callIdOf(part: MessagePart): string | undefined {
  return part.type === 'toolCall' ? part.toolCall.id : undefined;
}

function emptyUsage(version: SpecificationVersion): object {
  const none = undefined;
  if (version === 'v2') return { inputTokens: none, outputTokens: none, totalTokens: none };
  return {
    inputTokens: { total: none, noCache: none, cacheRead: none, cacheWrite: none },
    outputTokens: { total: none, text: none, reasoning: none },
  };
}
