import { concatAll, defer, type Observable } from 'rxjs';
import type { Message } from '../events/parts/message.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import type { ModelStepResult } from './loop-run.ts';

/** Returns the stream of a reply that arrives whole. Its chunks are emitted at once, because a pull would create promises for each. */
export function wholeReply(ask: () => Promise<readonly ModelChunk[]>): Observable<ModelChunk> {
  return defer(ask).pipe(concatAll());
}

/** Returns the result of a model step that a hook answered, or of one without a reply after a hook has ended the run. */
export function hookReply(message: Message = { role: 'assistant', parts: [] }): ModelStepResult {
  return { message, finishReason: 'responded', usage: undefined, finished: true };
}
