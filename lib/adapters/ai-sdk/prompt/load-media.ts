import { isObservable, lastValueFrom } from 'rxjs';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import type { MediaReference } from '../../../events/parts/tool-result.ts';
import { toBase64 } from '../../../events/values/base64.ts';
import type { MediaStore, StoredMedia } from '../../../pipeline/run/run.ts';

/** Media in the two forms that providers accept: base64 `data`, or a `url`. */
export type LoadedMedia =
  | { readonly mediaType: string; readonly data: string }
  | { readonly mediaType: string; readonly url: URL };

/** Media that cannot be loaded. */
export class MediaError extends HooklineError {}

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Loads the media of a reference. An `https:` URL is kept and not downloaded, `data:` is decoded, and `media://id` is read from the store. Throws
 * `INPUT_INVALID` for another URL, or for `media://` without a store. Throws `MODEL_FAILED` if the store fails.
 */
export async function loadMedia(reference: MediaReference, mediaStore?: MediaStore): Promise<LoadedMedia> {
  const { url } = reference;
  return url.startsWith('media://') ? fromStore(reference, mediaStore) : fromUrl(reference);
}

async function fromStore({ url, mediaType }: MediaReference, mediaStore: MediaStore | undefined): Promise<LoadedMedia> {
  if (!mediaStore) {
    throw new MediaError('INPUT_INVALID', `${url} needs a media store; set the option mediaStore of aiSdkModel.`);
  }
  const found = await ask(mediaStore, url.slice('media://'.length)).catch((cause: unknown) => {
    throw new MediaError('MODEL_FAILED', `the media store cannot resolve ${url}: ${messageOf(cause)}`, { cause });
  });
  if (!('data' in found)) return fromUrl({ mediaType, ...found }, url);
  return { mediaType: found.mediaType, data: typeof found.data === 'string' ? found.data : toBase64(found.data) };
}

async function ask(mediaStore: MediaStore, id: string): Promise<StoredMedia> {
  const answer = mediaStore.resolve(id);
  return isObservable(answer) ? lastValueFrom(answer) : answer;
}

function fromUrl({ url, mediaType }: { url: string; mediaType?: string | undefined }, origin?: string): LoadedMedia {
  if (/^https:/i.test(url) && URL.canParse(url)) return { mediaType: mediaType ?? UNKNOWN_TYPE, url: new URL(url) };
  const [, type, base64, data] = /^data:([^;,]*)(?:;[^;,]*?)*?(;base64)?,([\s\S]*)$/i.exec(url) ?? [];
  if (data === undefined) {
    const given = origin ? `, which the media store returned for ${origin},` : '';
    throw new MediaError(
      'INPUT_INVALID',
      `The media URL ${url.slice(0, 100)}${given} is not an https:, data: or media: URL.`,
    );
  }
  return {
    mediaType: mediaType ?? (type || 'text/plain'),
    data: base64 ? decodeURIComponent(data) : toBase64(new TextEncoder().encode(decodeURIComponent(data))),
  };
}
