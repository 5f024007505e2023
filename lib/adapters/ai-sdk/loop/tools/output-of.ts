import { messageOf } from '../../../../errors/describe-thrown.ts';
import type { PostActing } from '../../../../events/post-acting.ts';
import type { RawResult } from '../../../../loops/raw-result.ts';

/** Returns the outcome of a call in the form of the SDK's tools: a value, or an error whose message the model receives. */
export function outputOf(
  post: PostActing | undefined,
  returned: RawResult | undefined,
  failure: { readonly thrown: unknown } | undefined,
): unknown {
  if (!post) throw new Error('Not run: a sub-agent has a pending call.');
  const { outcome, result } = post;
  if (result.isError) throw failure && isReported(post, failure.thrown) ? failure.thrown : new Error(result.content);
  const raw = outcome === 'executed' ? returned : undefined;
  return raw ? raw.restore(result) : result.content;
}

/** Returns true if the model reads the thrown error exactly as hooks saw and settled it. */
function isReported({ outcome, toolCall, result }: PostActing, thrown: unknown): boolean {
  const message = messageOf(thrown);
  const left = outcome === 'failed' && result.content === `Tool "${toolCall.name}" failed: ${message}`;
  return left && readsAs(thrown, message);
}

/** The SDK reads an Error by its message or `toString`, a string unchanged, and other values as JSON. */
function readsAs(thrown: unknown, message: string): boolean {
  try {
    if (!(thrown instanceof Error)) return (typeof thrown === 'string' ? thrown : JSON.stringify(thrown)) === message;
    return thrown.message === message && thrown.toString() === Error.prototype.toString.call(thrown);
  } catch {
    return false;
  }
}
