import { isError, messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { errorResult, type MediaReference, type ToolResult } from '../../events/parts/tool-result.ts';
import type { ActingOutcome, PostActing } from '../../events/post-acting.ts';
import { toBase64 } from '../../events/values/base64.ts';
import { freezeEvent } from '../../events/values/deep-freeze.ts';
import { isAsync } from '../../events/values/is-async.ts';
import { CANCELLED, type Process, wait } from '../flow/drive.ts';
import type { MediaStore, StoredMedia } from '../run/run.ts';
import { settle } from '../run/run-scope.ts';
import { StepFailure } from '../run/step-failure.ts';
import { notifyStep, type StepScope } from '../run/step-scope.ts';
import { type PortTime, withinPortTime } from '../run/within-port-time.ts';
import { redactText } from '../trace/redact-text.ts';
import { pass, raise } from './pass.ts';

/** The ending of a call before its hooks. */
export interface Ending {
  readonly outcome: ActingOutcome;
  readonly result: ToolResult;
}

/** The step of an acting phase, in which the call is always set. */
export interface ActingStep extends StepScope {
  toolCall: ToolCall;
  /** The time at which the tool started. */
  began?: number;
  ending?: Ending;
  /** Whether postActing has settled. */
  over?: boolean;
}

/** In a process: ends the call with postActing. */
export function* conclude(step: ActingStep, ending: Ending): Process {
  const { scope } = step;
  step.ending = ending;
  let post: PostActing;
  try {
    post = yield* pass(step, postActing(step, ending));
    post = yield* deliver(step, post);
  } catch (thrown) {
    if (!isError(thrown, StepFailure)) throw thrown;
    const { decision } = yield* raise(step, thrown, ['respond']);
    const recovered = decision?.action === 'respond' && 'result' in decision ? decision.result : undefined;
    if (!recovered) scope.fatal = thrown;
    const result = recovered ?? errorResult(`The result was withheld: hook "${thrown.hook}" failed.`);
    // No hook can change that the call did not run, or did not run to its end.
    const isFinal = ['denied', 'skipped', 'cancelled'].includes(ending.outcome);
    const otherwise = recovered ? 'responded' : 'failed';
    post = postActing(step, { outcome: isFinal ? ending.outcome : otherwise, result });
  }
  if (post.outcome === 'executed') scope.retries = 0;
  step.over = true;
  yield settle(scope, freezeEvent(post));
}

/** The event of a call's end before its hooks. */
export function postActing(step: ActingStep, { outcome, result }: Ending): PostActing {
  const { scope, began } = step;
  const now = scope.settings.scheduler.now();
  const event: PostActing = {
    type: 'postActing',
    run: scope.info,
    iteration: scope.iteration,
    toolCall: step.toolCall,
    permission: step.permission ?? 'external',
    // The engine's own text, because no hook may read it after a cancel.
    result:
      outcome === 'executed' || outcome === 'responded'
        ? result
        : { ...result, content: redactText(scope, result.content) },
    outcome,
    durationMs: began === undefined ? 0 : Math.max(0, now - began),
  };
  notifyStep(step, event);
  return event;
}

/** In a process: delivers the output for the user. A failed delivery makes the result an error. */
export function* deliver(step: StepScope, post: PostActing): Process<PostActing> {
  const { scope } = step;
  const { forUser, silent, handled, media, ...rest } = post.result;
  const text = forUser !== undefined && !silent ? { text: forUser } : {};
  const shown = handled && media && media.length > 0 ? media : undefined;
  if (!scope.deliver || !('text' in text || shown)) return post;
  try {
    const items = shown ? { media: yield* resolveMedia(shown, scope.mediaStore, scope.settings) } : {};
    const delivered = scope.deliver({ run: scope.info, toolCall: post.toolCall, ...text, ...items });
    if (isAsync(delivered))
      yield* wait(withinPortTime(delivered, scope.settings, (ms) => lateToDeliver('deliver', ms)));
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

const SCHEME = 'media://';

/** In a process: replaces each `media://id` by its `https:` or `data:` URL. Throws the error of the store. */
function* resolveMedia(
  references: readonly MediaReference[],
  store: MediaStore | undefined,
  time: PortTime,
): Process<readonly MediaReference[]> {
  if (!store) return references;
  const resolved: MediaReference[] = [];
  for (const reference of references) {
    if (!reference.url.startsWith(SCHEME)) {
      resolved.push(reference);
      continue;
    }
    const answer = store.resolve(reference.url.slice(SCHEME.length));
    const late = (ms: number): HooklineError => lateToDeliver('the media store', ms);
    const found = isAsync(answer) ? yield* wait(withinPortTime<StoredMedia>(answer, time, late)) : answer;
    resolved.push(toReference(reference, found));
  }
  return resolved;
}

function lateToDeliver(what: string, ms: number): HooklineError {
  const way = 'Make it faster, or raise portTimeoutMs of createPipeline()';
  return new HooklineError('DELIVERY_FAILED', `${what} did not answer within ${ms} ms. ${way}.`);
}

function toReference({ url, mediaType }: MediaReference, found: StoredMedia | undefined): MediaReference {
  if (found && 'data' in found) {
    const type = mediaType ?? found.mediaType;
    const data = typeof found.data === 'string' ? found.data : toBase64(found.data);
    return { url: `data:${type};base64,${data}`, mediaType: type };
  }
  const type = mediaType ?? found?.mediaType;
  if (typeof found?.url !== 'string' || !/^(https|data):/i.test(found.url))
    throw new HooklineError('DELIVERY_FAILED', `the media store has nothing for ${url}`);
  return { url: found.url, ...(type !== undefined && { mediaType: type }) };
}
