export type { Caller, ChatOptions } from '../../chat/chat-options.ts';
export type { ClientTool } from '../../chat/chat-request.ts';
export type { UiThreadMessage, UiThreadPart, UiToolPart } from './thread/ui-thread-message.ts';
export { toUiMessageStream, type UiMessageStreamOptions } from './to-ui-message-stream.ts';
export type { PartMetadata, UiFinishReason, UiMessageChunk } from './ui-message-chunk.ts';
export {
  type UiMessageStreamHandler,
  type UiMessageStreamHandlerOptions,
  uiMessageStreamHandler,
} from './ui-message-stream-handler.ts';
