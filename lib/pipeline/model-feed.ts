import { HooklineError } from '../errors.ts';
import type { ReasoningChunk } from '../events/reasoning-chunk.ts';
import { toJson } from '../events/to-json.ts';
import type { BlockLane } from './block-lane.ts';
import { type ModelChunk, modelChunkSchema } from './model.ts';
import type { Reply } from './reply.ts';

type Part = ReasoningChunk['part'];

/** Turns what a model streams into blocks of chunk events. */
export interface ModelFeed {
  take(chunk: ModelChunk): void;
}

/** `open` begins a block of the lane, `template` makes the chunk events of one, `later` waits for what is in flight. */
export function createModelFeed(
  open: (template: ReasoningChunk) => BlockLane<ReasoningChunk>,
  template: (part: Part, block: number, toolCallId?: string) => ReasoningChunk,
  reply: Reply,
  later: (action: () => void) => void,
): ModelFeed {
  type Open = { lane: BlockLane<ReasoningChunk>; template: ReasoningChunk };
  const blocks = new Map<number, Open>();
  /** Nearly every chunk belongs to the block of the one before. */
  let latest = -1;
  let latestBlock: Open | undefined;
  const inputs = new Map<string, number>();
  let next = 0;
  /** The block that goes on as long as the model sends the same part without naming a block. */
  let current: { part: Part; block: number } | undefined;

  return {
    take(chunk) {
      switch (chunk?.type) {
        case 'text':
        case 'thinking':
          push(chunk.type, chunk.block === undefined ? sameOrNext(chunk.type) : index(chunk.block), chunk.delta);
          if (chunk.metadata) keepMetadata(chunk, chunk.type, chunk.block ?? current?.block ?? 0);
          return;
        case 'toolInput':
          push('toolInput', inputBlock(chunk.toolCallId, chunk.block), chunk.delta, chunk.toolCallId);
          return;
        default:
          takeRare(checked(chunk));
      }
    },
  };

  function takeRare(chunk: ModelChunk): void {
    if (chunk.type === 'toolCall') {
      const block = inputBlock(chunk.toolCall.id, chunk.block);
      blocks.get(block)?.lane.end();
      inputs.delete(chunk.toolCall.id);
      const input = toJson(chunk.toolCall.input, 'toolCall.input') as typeof chunk.toolCall.input;
      // Behind what is still in the lane: a stage may yet say finish to a chunk that came before.
      later(() => {
        reply.call(block, { ...chunk.toolCall, input });
        if (chunk.metadata) reply.metadata(block, 'toolInput', chunk.metadata);
      });
    } else if (chunk.type === 'blockEnd') {
      const known = blocks.get(chunk.block);
      if (chunk.metadata && known) reply.metadata(chunk.block, known.template.part, chunk.metadata);
      known?.lane.end();
    } else if (chunk.type === 'finish') {
      reply.finishReason = chunk.finishReason;
      reply.usage = chunk.usage;
    }
  }

  function push(part: Part, block: number, delta: string, toolCallId?: string): void {
    if (typeof delta !== 'string') throw misfit('delta is not a string');
    let known = block === latest ? latestBlock : blocks.get(block);
    if (!known) {
      const made = template(part, block, toolCallId);
      known = { template: made, lane: open(made) };
      blocks.set(block, known);
      next = Math.max(next, block + 1);
    }
    latest = block;
    latestBlock = known;
    if (delta !== '') known.lane.push(withDelta(known.template, delta));
  }

  function sameOrNext(part: Part): number {
    if (current?.part === part) return current.block;
    endCurrent();
    current = { part, block: next };
    return next;
  }

  function inputBlock(toolCallId: string, block: number | undefined): number {
    const known = inputs.get(toolCallId);
    if (known !== undefined) return known;
    endCurrent();
    const made = block === undefined ? next : index(block);
    next = Math.max(next, made + 1);
    inputs.set(toolCallId, made);
    return made;
  }

  function index(block: number): number {
    if (Number.isSafeInteger(block) && block >= 0) return block;
    throw misfit('block is not an index');
  }

  function endCurrent(): void {
    if (current) blocks.get(current.block)?.lane.end();
    current = undefined;
  }

  function keepMetadata(chunk: ModelChunk, part: Part, block: number): void {
    const parsed = checked(chunk);
    if ('metadata' in parsed && parsed.metadata) reply.metadata(block, part, parsed.metadata);
  }
}

/** Spelt out, for this is done for every chunk; a spread takes twice as long. */
function withDelta(template: ReasoningChunk, delta: string): ReasoningChunk {
  const { type, run, iteration, part, block, toolCallId, attempt, last } = template;
  if (toolCallId !== undefined) return { ...template, delta };
  return { type, run, iteration, part, delta, block, attempt, last };
}

function checked(chunk: unknown): ModelChunk {
  const parsed = modelChunkSchema.safeParse(chunk);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the chunk'}: ${issue.message}`);
  throw misfit(faults.join('; '));
}

function misfit(fault: string): HooklineError {
  return new HooklineError('MODEL_FAILED', `The model sent a chunk that does not fit. ${fault}`);
}
