import type { ToolCall } from '../../events/parts/tool-call.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { failedCall } from '../../loops/to-tool-call.ts';

/** An item of a conversation. Its fields depend on `type`. */
export interface HostItem {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** The fields of a model request that Hookline uses. */
export interface HostRequest {
  readonly systemInstructions?: string;
  readonly input: string | readonly HostItem[];
  readonly modelSettings: { readonly [setting: string]: unknown };
  readonly tools: readonly HostToolDescription[];
  readonly handoffs: readonly HostHandoffDescription[];
  readonly tracing?: unknown;
  readonly signal?: AbortSignal;
  readonly [field: string]: unknown;
}

export interface HostToolDescription {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
}

export interface HostHandoffDescription {
  readonly toolName: string;
  readonly toolDescription: string;
  readonly inputJsonSchema: JsonObject;
}

/** A complete response, or the response at the end of a stream. */
export interface HostResponse {
  readonly output: readonly HostItem[];
  readonly usage: unknown;
  readonly [field: string]: unknown;
}

export interface HostStreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A model of OpenAI Agents. */
export interface HostModel {
  getResponse(request: HostRequest): Promise<HostResponse>;
  getStreamedResponse(request: HostRequest): AsyncIterable<HostStreamEvent>;
}

export interface HostModelProvider {
  getModel(name?: string): HostModel | Promise<HostModel>;
}

/** The details that a tool receives with its input. */
export interface HostDetails {
  readonly toolCall?: HostItem;
  readonly signal?: AbortSignal;
}

/** A tool of OpenAI Agents. Only tools of type `function` run locally. */
export interface HostTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly invoke: (context: unknown, input: string, details?: HostDetails) => unknown;
  readonly needsApproval?: (context: unknown, input: unknown, callId?: string) => unknown;
  /** The event listener method of agents used as tools. */
  readonly on?: unknown;
}

export interface HostHandoff {
  readonly toolName: string;
  readonly toolDescription: string;
  readonly inputJsonSchema: JsonObject;
  readonly agent: HostAgent;
  readonly onInvokeHandoff: (context: unknown, input: string) => unknown;
  clone(changes: object): HostHandoff;
}

/** An agent of OpenAI Agents. */
export interface HostAgent {
  readonly name: string;
  readonly model: unknown;
  readonly modelSettings: { readonly retry?: unknown };
  readonly tools: readonly HostTool[];
  readonly handoffs: readonly (HostAgent | HostHandoff)[];
  readonly toolUseBehavior: unknown;
  clone(changes: object): HostAgent;
  getAllTools(context: unknown, parent?: unknown): Promise<readonly HostTool[]>;
  getEnabledHandoffs(context: unknown): Promise<readonly HostHandoff[]>;
}

/** An approval that a run waits for. */
export interface HostInterruption {
  readonly name?: string;
  /** The tool name with its namespace, which the runner uses as the key for approvals. */
  readonly functionToolStateKey?: string;
  readonly agent: HostAgent;
  readonly rawItem: HostItem;
}

/** The state of a run that can be resumed. */
export interface HostState {
  readonly history: readonly HostItem[];
  readonly _context: { context: unknown; isToolApproved(call: object): boolean | undefined };
  getInterruptions(): readonly HostInterruption[];
  approve(interruption: HostInterruption): void;
  reject(interruption: HostInterruption, options?: object): void;
  toString(): string;
}

export interface HostResult {
  readonly interruptions: readonly unknown[];
  readonly completed?: Promise<void>;
  readonly cancelled?: boolean;
  readonly finalOutput?: unknown;
  toStream?(): ReadableStream<unknown>;
  toTextStream?(options?: { readonly compatibleWithNodeStreams?: boolean }): ReadableStream<unknown>;
}

/** The fields of a runner that Hookline uses. */
export interface HostRunner {
  readonly config: { readonly modelProvider: unknown; readonly model?: unknown; readonly modelSettings?: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
  run(agent: any, input: any, options?: any): Promise<any>;
}

/** Converts a call. Arguments that are not a JSON object return an empty input and an `inputError`. */
export function toToolCall(id: string, name: string, given: string): ToolCall {
  if (given.trim() === '') return { id, name, input: {} };
  let input: unknown;
  try {
    input = JSON.parse(given);
  } catch {
    input = undefined;
  }
  if (isObject(input)) return { id, name, input: input as JsonObject };
  return failedCall(id, name, given);
}
