import { from, isObservable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { MediaReference } from '../../events/parts/tool-result.ts';
import type { MediaStore, StoredMedia } from '../define/media-store.ts';
import { type Process, wait } from '../flow/drive.ts';
import { isThenable } from '../flow/is-async.ts';
import { toBase64 } from './to-base64.ts';

const SCHEME = 'media://';

/** Within a process: the references with an `https:` or `data:` URL in the place of each `media://id`. Throws what the store fails with. */
export function* resolveMedia(
  references: readonly MediaReference[],
  store: MediaStore | undefined,
): Process<readonly MediaReference[]> {
  if (!store) return references;
  const resolved: MediaReference[] = [];
  for (const reference of references) {
    if (!reference.url.startsWith(SCHEME)) {
      resolved.push(reference);
      continue;
    }
    const answer = store.resolve(reference.url.slice(SCHEME.length));
    const found =
      isObservable(answer) || isThenable(answer) ? yield* wait(isObservable(answer) ? answer : from(answer)) : answer;
    resolved.push(toReference(reference, found));
  }
  return resolved;
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
