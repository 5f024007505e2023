import type { Observable } from 'rxjs';
import type { HookEvent, Settled } from '../events/hook-event.ts';
import type { JsonObject } from '../events/json-value.ts';
import type { Message } from '../events/message.ts';
import type { RunInfo } from '../events/run-info.ts';
import type { ToolCall } from '../events/tool-call.ts';
import type { Model, ModelRequest } from './model.ts';
import type { Tool } from './tool.ts';

/** Who runs, for whom. */
export interface RunOptions {
  readonly agent: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly metadata?: JsonObject;
}

/** One run on a pipeline: the phases that every loop is built of. Unsubscribing from a phase cancels it. */
export interface Run {
  readonly info: RunInfo;
  /** Asks the model: preReasoning, chunks, postReasoning; an error event stands last when it failed. */
  reason(request: Partial<ModelRequest> & { messages: readonly Message[] }, model: Model): Observable<Settled>;
  /** Runs one tool: preActing, chunks, postActing. Resolves the tool by the name that the hooks leave. */
  act(toolCall: ToolCall, tools: readonly Tool[]): Observable<Settled>;
}
export type _Event = HookEvent;
