import type { ToolResultPart } from '../../../events/parts/message.ts';
import type { MediaReference, ToolResult } from '../../../events/parts/tool-result.ts';
import type { MediaStore } from '../../../pipeline/run/run.ts';
import type { PromptPart, SpecificationVersion } from '../language-model.ts';
import { type LoadedMedia, loadMedia } from './load-media.ts';
import { taggedData } from './to-file-part.ts';

/**
 * Converts a tool result to a 'tool-result' part: 'content' with media, otherwise 'error-text' or 'text'. 'error-text' cannot contain media, so an
 * error with media is written as text. v2 cannot contain media by URL, so the URL is written as text.
 */
export async function toToolResultPart(
  part: ToolResultPart,
  version: SpecificationVersion,
  mediaStore?: MediaStore,
): Promise<PromptPart> {
  const { toolCallId, toolName, result } = part;
  return { type: 'tool-result', toolCallId, toolName, output: await toOutput(result, version, mediaStore) };
}

async function toOutput(result: ToolResult, version: SpecificationVersion, mediaStore?: MediaStore): Promise<object> {
  const text = [result.content, result.artifactTags?.join(' ')].filter(Boolean).join('\n');
  if (!result.media?.length) return { type: result.isError ? 'error-text' : 'text', value: text };
  const load = async (reference: MediaReference) => mediaContent[version](await loadMedia(reference, mediaStore));
  const media = await Promise.all(result.media.map(load));
  const output = result.isError ? `Error: ${text}` : text;
  return { type: 'content', value: [...(output === '' ? [] : [{ type: 'text', text: output }]), ...media] };
}

const mediaContent: { readonly [version in SpecificationVersion]: (media: LoadedMedia) => object } = {
  v2: (media) =>
    'url' in media
      ? { type: 'text', text: `${media.mediaType}: ${media.url}` }
      : { type: 'media', data: media.data, mediaType: media.mediaType },
  v3: (media) => {
    const kind = media.mediaType.startsWith('image/') ? 'image' : 'file';
    if ('data' in media) return { type: `${kind}-data`, data: media.data, mediaType: media.mediaType };
    const url = String(media.url);
    return kind === 'image' ? { type: 'image-url', url } : { type: 'file-url', url, mediaType: media.mediaType };
  },
  v4: (media) => ({ type: 'file', mediaType: media.mediaType, data: taggedData(media) }),
};
