export type { Caller, ChatOptions } from '../../chat/chat-options.ts';
export type {
  AgUiBase,
  AgUiEvent,
  AgUiInterrupt,
  AgUiMessage,
  AgUiOutcome,
  AgUiToolCall,
  AgUiUsage,
} from './ag-ui-event.ts';
export { type AgUiHandler, type AgUiHandlerOptions, agUiHandler } from './ag-ui-handler.ts';
export { type AgUiOptions, toAgUi } from './to-ag-ui.ts';
