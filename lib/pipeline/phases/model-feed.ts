import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { isFinishReason } from '../../events/parts/finish-reason.ts';
import { isUsage } from '../../events/parts/usage.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { toJson } from '../../events/values/to-json.ts';
import { type ModelChunk, modelChunkSchema } from '../define/model.ts';
import type { Reply } from './reply.ts';

type Part = ReasoningChunk['part'];

/** The receiver of a block's text. */
interface TextBlock {
  readonly template: Pick<ReasoningChunk, 'part'>;
  add(text: string): void;
  end(): void;
}

/** The dependencies of a feed. */
export interface ModelFeedHost {
  readonly reply: Reply;
  /** Whether stages may change the output of the model. */
  readonly isStaged: boolean;
  /** Begins a block. */
  open(part: Part, block: number, toolCallId?: string): TextBlock;
  /** Waits for the chunks in flight. */
  later(action: () => void): void;
}

/** Converts the stream of a model into blocks of chunk events. A class to save memory, like the blocks. */
export class ModelFeed {
  /** Nearly every chunk belongs to the block of the previous one. */
  #latest = -1;
  #latestBlock: TextBlock | undefined = undefined;
  /** The block that continues while the model sends the same part without a block number; -1 for none. */
  #current = -1;
  #currentPart: Part = 'text';
  #next = 0;
  readonly #host: ModelFeedHost;
  readonly #isStaged: boolean;
  /** The blocks before the latest. Most answers have only one. */
  #earlier: Map<number, TextBlock> | undefined = undefined;
  #inputs: Map<string, number> | undefined = undefined;

  constructor(host: ModelFeedHost) {
    this.#host = host;
    this.#isStaged = host.isStaged;
  }

  take(chunk: ModelChunk): void {
    switch (chunk?.type) {
      case 'text':
      case 'thinking':
        this.push(
          chunk.type,
          chunk.block === undefined ? this.sameOrNext(chunk.type) : index(chunk.block),
          chunk.delta,
        );
        if (chunk.metadata) this.keepMetadata(chunk, chunk.type, chunk.block ?? Math.max(0, this.#current));
        return;
      case 'toolInput':
        this.push('toolInput', this.inputBlock(chunk.toolCallId, chunk.block), chunk.delta, chunk.toolCallId);
        return;
      default:
        this.takeRare(checked(chunk));
    }
  }

  private takeRare(chunk: ModelChunk): void {
    const { reply } = this.#host;
    if (chunk.type === 'toolCall') {
      const block = this.inputBlock(chunk.toolCall.id, chunk.block);
      this.end(block);
      this.#inputs?.delete(chunk.toolCall.id);
      const input = toJson(chunk.toolCall.input, 'toolCall.input') as typeof chunk.toolCall.input;
      // After the chunks in flight, because a stage may still return finish for an earlier one.
      this.#host.later(() => {
        // Frozen spreads would each have a hidden class of their own.
        reply.call(block, Object.assign({}, chunk.toolCall, { input }));
        if (chunk.metadata) reply.metadata(block, 'toolInput', chunk.metadata);
      });
    } else if (chunk.type === 'blockEnd') {
      const part = this.blockOf(chunk.block)?.template.part;
      if (chunk.metadata && part) reply.metadata(chunk.block, part, chunk.metadata);
      this.end(chunk.block);
    } else if (chunk.type === 'finish') {
      reply.finishReason = chunk.finishReason;
      reply.usage = chunk.usage && Object.assign({}, chunk.usage);
    }
  }

  private push(part: Part, block: number, delta: string, toolCallId?: string): void {
    if (typeof delta !== 'string') throw misfit('delta is not a string');
    if (block !== this.#latest) this.turnTo(part, block, toolCallId);
    if (delta === '') return;
    if (this.#isStaged) this.#host.reply.came(block, delta);
    this.#latestBlock?.add(delta);
  }

  private turnTo(part: Part, block: number, toolCallId?: string): void {
    const opened = this.#earlier?.get(block) ?? this.#host.open(part, block, toolCallId);
    if (this.#latestBlock) {
      this.#earlier ??= new Map();
      this.#earlier.set(this.#latest, this.#latestBlock);
    }
    this.#next = Math.max(this.#next, block + 1);
    this.#latest = block;
    this.#latestBlock = opened;
  }

  private sameOrNext(part: Part): number {
    if (this.#current >= 0 && this.#currentPart === part) return this.#current;
    this.endCurrent();
    this.#current = this.#next;
    this.#currentPart = part;
    return this.#next;
  }

  private inputBlock(toolCallId: string, block: number | undefined): number {
    const known = this.#inputs?.get(toolCallId);
    if (known !== undefined) return known;
    this.endCurrent();
    const made = block === undefined ? this.#next : index(block);
    this.#next = Math.max(this.#next, made + 1);
    this.#inputs ??= new Map();
    this.#inputs.set(toolCallId, made);
    return made;
  }

  private endCurrent(): void {
    if (this.#current >= 0) this.end(this.#current);
    this.#current = -1;
  }

  private end(block: number): void {
    this.blockOf(block)?.end();
  }

  private blockOf(block: number): TextBlock | undefined {
    return block === this.#latest ? this.#latestBlock : this.#earlier?.get(block);
  }

  private keepMetadata(chunk: ModelChunk, part: Part, block: number): void {
    const parsed = checked(chunk);
    if ('metadata' in parsed && parsed.metadata) this.#host.reply.metadata(block, part, parsed.metadata);
  }
}

function index(block: number): number {
  if (Number.isSafeInteger(block) && block >= 0) return block;
  throw misfit('block is not an index');
}

function checked(chunk: ModelChunk): ModelChunk {
  if (isUsualEnd(chunk)) return chunk;
  let parsed: ReturnType<typeof modelChunkSchema.safeParse>;
  try {
    parsed = modelChunkSchema.safeParse(chunk);
  } catch (thrown) {
    throw misfit(whyNot(chunk, thrown));
  }
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the chunk'}: ${issue.message}`);
  throw misfit(problems.join('; '));
}

/** Recognizes the frequent ends without the schema, which takes ten times as long. */
function isUsualEnd(chunk: ModelChunk): boolean {
  const fields = Object.keys(chunk ?? {}).length;
  if (chunk?.type === 'blockEnd') return fields === 2 && chunk.block >= 0 && Number.isSafeInteger(chunk.block);
  return chunk?.type === 'finish' && fields === 3 && isFinishReason(chunk.finishReason) && isUsage(chunk.usage);
}

/** A schema throws only if it runs out of stack. Returns the place of the problem. */
function whyNot(chunk: unknown, thrown: unknown): string {
  try {
    toJson(chunk, 'chunk');
    return messageOf(thrown);
  } catch (refusal) {
    return (refusal as Error).message;
  }
}

function misfit(problem: string): HooklineError {
  return new HooklineError('MODEL_FAILED', `The model sent an invalid chunk. ${problem}`);
}
