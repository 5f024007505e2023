export { toUiMessageStream, type UiMessageStreamOptions } from './to-ui-message-stream.ts';
export type { PartMetadata, UiFinishReason, UiMessageChunk } from './ui-message-chunk.ts';
