import { from, isObservable } from 'rxjs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { PostActing } from '../../events/post-acting.ts';
import { CANCELLED, type Process, wait } from '../flow/drive.ts';
import { isAsync } from '../flow/is-async.ts';
import { raise } from '../phases/pass.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { resolveMedia } from './resolve-media.ts';

/** Within a process: gives the user what is for the user; what cannot be delivered makes the result an error. */
export function* deliver(step: StepScope, post: PostActing): Process<PostActing> {
  const { scope } = step;
  const { forUser, silent, handled, media, ...rest } = post.result;
  const text = forUser !== undefined && !silent ? { text: forUser } : {};
  const shown = handled && media && media.length > 0 ? media : undefined;
  if (!scope.deliver || !('text' in text || shown)) return post;
  try {
    const items = shown ? { media: yield* resolveMedia(shown, scope.mediaStore) } : {};
    const delivered = scope.deliver({ run: scope.info, toolCall: post.toolCall, ...text, ...items });
    if (isAsync(delivered)) yield* wait(isObservable(delivered) ? delivered : from(delivered));
    return post;
  } catch (thrown) {
    if (thrown === CANCELLED) throw thrown;
    const why = messageOf(thrown);
    const error = new HooklineError(
      'DELIVERY_FAILED',
      `What tool "${post.toolCall.name}" has for the user could not be delivered: ${why}`,
      { cause: thrown },
    );
    yield* raise(step, new StepFailure('host', error), []);
    const content = `${rest.content}\n[failed to deliver this to the user: ${why}]`.trimStart();
    const undelivered = { ...post, result: { ...rest, ...(media && { media }), content, isError: true } };
    scope.tracer?.carry(post, undelivered);
    return undelivered;
  }
}
