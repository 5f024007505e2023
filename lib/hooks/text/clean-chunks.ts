import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { RedactionStream, Redactor } from '../../redaction/redactor.ts';
import { redactorIn } from '../scanning/run-secrets.ts';
import { jsonTextStream } from './json-text-stream.ts';

/** Redacts the texts of chunks. Text that may become a secret is held until a later chunk of its block, at most until the last. */
export function createCleanChunks(redactor: Redactor | undefined) {
  const silent = { onFinding: () => {} };
  const runs = new Map<string, Map<string, { readonly step: string; readonly stream: RedactionStream }>>();

  return {
    textOf(event: SettledEvent<ChunkEvent>): string {
      const text = chunkText(event);
      if (!redactor) return text;
      const blocks = runs.get(event.run.runId) ?? new Map();
      runs.set(event.run.runId, blocks);
      const block = event.type === 'reasoningChunk' ? `block ${event.block}` : `call ${event.toolCall.id}`;
      // Open text of a retracted step must not enter a later one.
      const step = `${event.iteration} ${event.attempt}`;
      const known = blocks.get(block);
      const isInput = event.type === 'reasoningChunk' && event.part === 'toolInput';
      const begin = () => {
        const knowing = redactorIn(event.run, redactor);
        return isInput ? jsonTextStream(knowing, silent) : knowing.stream(silent);
      };
      const stream = known?.step === step ? known.stream : begin();
      blocks.set(block, { step, stream });
      if (!event.last) return stream.write(text);
      blocks.delete(block);
      if (blocks.size === 0) runs.delete(event.run.runId);
      return stream.end();
    },

    /** A cancelled block has no last chunk. */
    endRun(runId: string): void {
      runs.delete(runId);
    },
  };
}
