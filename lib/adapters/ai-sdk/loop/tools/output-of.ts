import { messageOf } from '../../../../errors/describe-thrown.ts';
import type { PostActing } from '../../../../events/post-acting.ts';
import type { RawResult } from '../../../../loops/raw-result.ts';

/** What a call came to, as the SDK's tools say it: a value, or an error whose message the model is told. */
export function outputOf(
  post: PostActing | undefined,
  returned: RawResult | undefined,
  failure: { readonly thrown: unknown } | undefined,
): unknown {
  if (!post) throw new Error('Not run: a sub-agent waits for an answer.');
  const { outcome, result } = post;
  if (result.isError) throw failure && isTold(post, failure.thrown) ? failure.thrown : new Error(result.content);
  const raw = outcome === 'executed' ? returned : undefined;
  return raw ? raw.restore(result) : result.content;
}

/** Whether hooks have seen all that the model will read of what the tool has thrown, and have left it. */
function isTold({ outcome, toolCall, result }: PostActing, thrown: unknown): boolean {
  const message = messageOf(thrown);
  const left = outcome === 'failed' && result.content === `Tool "${toolCall.name}" failed: ${message}`;
  return left && readsAs(thrown, message);
}

/** The SDK reads an Error by its message or by `toString`, a text as it is, and anything else as JSON. */
function readsAs(thrown: unknown, message: string): boolean {
  try {
    if (!(thrown instanceof Error)) return (typeof thrown === 'string' ? thrown : JSON.stringify(thrown)) === message;
    return thrown.message === message && thrown.toString() === Error.prototype.toString.call(thrown);
  } catch {
    return false;
  }
}
