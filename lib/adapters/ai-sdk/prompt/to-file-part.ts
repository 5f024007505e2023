import type { MediaPart } from '../../../events/parts/message.ts';
import type { MediaStore } from '../../../pipeline/run/run.ts';
import type { PromptPart, SpecificationVersion } from '../language-model.ts';
import { type LoadedMedia, loadMedia } from './load-media.ts';
import { toProviderOptions } from './to-provider-options.ts';

/** Converts a media part to a 'file' part: base64 or a URL in v2 and v3, tagged data in v4. */
export async function toFilePart(
  part: MediaPart,
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<PromptPart> {
  const media = await loadMedia(part, mediaStore);
  const data = version === 'v4' ? taggedData(media) : 'url' in media ? media.url : media.data;
  return { type: 'file', mediaType: media.mediaType, data, ...toProviderOptions(part.metadata) };
}

/** Returns media as the tagged file data of v4. */
export function taggedData(media: LoadedMedia): object {
  return 'url' in media ? { type: 'url', url: media.url } : { type: 'data', data: media.data };
}
