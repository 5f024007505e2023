import { appendFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Subscription } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { chunkText, isChunk } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { jsonLine } from '../../store/lines/json-line.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { createSinkQueue } from './sink-queue.ts';
import { pieceOf, type StreamSink } from './stream-piece.ts';
import { type StreamingOptions, streamingOptionsSchema } from './streaming-options.ts';

/** A block with text that was not sent yet. */
interface OpenBlock {
  readonly piece: ReturnType<typeof pieceOf>;
  /** The whole text, if pieces are cumulative. */
  whole: string;
  text: string;
  timer?: Subscription | undefined;
}

/**
 * Sends streamed text to a sink as it settles, exactly as the screen shows it. A run never waits for the sink. Waiting text is joined,
 * and text beyond the limit is dropped and counted.
 *
 * If the sink fails, the run continues. This is logged.
 *
 * - Parallel calls: Each piece names its run and its block.
 * - Sub-agents: Their output is sent, too.
 * - Retry: Pieces carry the attempt. A higher attempt retracts the earlier pieces.
 * - Suspend and resume: A resumed run is another run.
 * - Cost: One write for each piece, outside the run.
 */
export function streaming(options: StreamingOptions, sink?: StreamSink): Hook {
  const { name, parts, mode, everyMs, chars, agents, maxWaitingChars, flushMs, file } = parseHookOptions(
    'streaming',
    streamingOptionsSchema,
    options,
  );
  const to = sinkOf(name, sink, file);
  const runs = new WeakMap<RunInfo, Map<string, OpenBlock>>();
  let log: Logger | undefined;
  const queue = createSinkQueue({
    sink: to,
    mode,
    maxWaitingChars,
    failed: (err) => log?.error({ err, lost: queue.lost }, 'streamed text did not reach its sink and is lost'),
  });

  function send(open: OpenBlock, last: boolean): void {
    open.timer?.unsubscribe();
    open.timer = undefined;
    if (open.text === '' && !last) return;
    const { piece } = open;
    queue.add(Object.assign({}, piece, { text: mode === 'cumulative' ? open.whole : open.text, last }), piece);
    open.text = '';
  }

  function take(event: SettledEvent<ChunkEvent>, { scheduler }: HookContext): void {
    const piece = pieceOf(event);
    if (!parts.includes(piece.part)) return;
    const blocks = runs.get(event.run) ?? new Map<string, OpenBlock>();
    runs.set(event.run, blocks);
    if (piece.attempt > 1) withdraw(blocks, piece);
    const open = blocks.get(piece.block) ?? { piece, whole: '', text: '' };
    blocks.set(piece.block, open);
    const text = chunkText(event);
    open.text += text;
    if (mode === 'cumulative') open.whole += text;
    if (event.last) {
      send(open, true);
      blocks.delete(piece.block);
    } else if (everyMs === 0 || open.text.length >= chars) send(open, false);
    else open.timer ??= scheduler.schedule(() => send(open, false), everyMs);
  }

  /** Drops the unsent text of an earlier attempt. */
  function withdraw(blocks: Map<string, OpenBlock>, now: OpenBlock['piece']): void {
    for (const [block, { piece, timer }] of blocks) {
      if (piece.iteration !== now.iteration || piece.attempt >= now.attempt) continue;
      if (piece.tool !== undefined ? piece.block !== now.block : now.tool !== undefined) continue;
      timer?.unsubscribe();
      blocks.delete(block);
    }
  }

  /** Ends the open blocks of a cancelled run. */
  function end(run: RunInfo): void {
    for (const open of runs.get(run)?.values() ?? []) send(open, true);
    runs.delete(run);
  }

  const late = () => log?.warn({ lost: queue.lost }, `a sink did not finish within ${flushMs / 1_000} s`);

  return defineHook({
    name,
    description: 'Sends streamed text to a sink.',
    priority: HookPriority.LOGGING,
    timeoutMs: flushMs + 1_000,
    ...(agents && { match: { agents } }),
    observe(event, context) {
      log ??= context.log;
      if (isChunk(event)) return take(event, context);
      if (event.type !== 'postCall') return undefined;
      end(event.run);
      // Only `pipeline.flush()` waits for this.
      return queue.busy ? waitAtMost(flushMs, queue.drained(), late) : undefined;
    },
  });
}

function sinkOf(hook: string, sink: StreamSink | undefined, file: string | undefined): StreamSink {
  if (typeof sink === 'function') return sink;
  if (sink === undefined && file !== undefined) return appendTo(resolve(file));
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The hook "${hook}" needs a sink: a file, or in code a function, streaming(options, (piece) => ..).`,
  );
}

/** Appends pieces as lines to an owner-only file. Creates its folder with the first piece. */
function appendTo(file: string): StreamSink {
  let isThere = false;
  return async ({ run: { runId, sessionId, agent, depth }, ...piece }) => {
    if (!isThere) makeFolder(dirname(file), 0o700);
    isThere = true;
    await appendFile(file, jsonLine({ runId, sessionId, agent, depth, ...piece }), { mode: 0o600 });
  };
}

/** @internal The catalogue entry of `streaming`, whose sink is a file. */
export const streamingEntry = defineCatalogueEntry({
  name: 'streaming',
  description: 'Writes the output of models and tools to a file as it streams, joined by time and size.',
  events: ['reasoningChunk', 'actingChunk', 'postCall'],
  optionsSchema: streamingOptionsSchema,
  example: { file: 'stream.jsonl', parts: ['text', 'toolProgress'], everyMs: 200 },
  weakens: weakensUnless({ maxWaitingChars: 'mayRise', flushMs: 'mayRise' }, ['mode', 'everyMs', 'chars']),
  create: (options) => streaming(options),
});
