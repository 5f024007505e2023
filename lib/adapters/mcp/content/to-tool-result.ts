import type { MediaReference, ToolResult } from '../../../events/parts/tool-result.ts';
import { type CallResult, type ContentBlock, textOfBlock } from './content-block.ts';

/** Converts a result for hooks and models: its texts, or else its structured content as JSON. Images, audio and files become media. */
export function toToolResult({ content = [], structuredContent, isError = false }: CallResult): ToolResult {
  const texts = content.map(textOfBlock).filter((text) => text !== undefined);
  const media = content.map(mediaOf).filter((one) => one !== undefined);
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return { content: texts.join('\n'), isError, ...(media.length > 0 && { media }) };
}

function mediaOf({ type, data, mimeType, resource }: ContentBlock): MediaReference | undefined {
  if (type === 'image' || type === 'audio') return dataUrl(data ?? '', mimeType);
  return type === 'resource' && resource?.blob !== undefined ? dataUrl(resource.blob, resource.mimeType) : undefined;
}

function dataUrl(data: string, mediaType = 'application/octet-stream'): MediaReference {
  return { url: `data:${mediaType};base64,${data}`, mediaType };
}
