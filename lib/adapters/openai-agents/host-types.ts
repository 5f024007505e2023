import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { failedCall } from '../../loops/to-tool-call.ts';

/** An item of a conversation of OpenAI Agents; which members are there depends on `type`. */
export interface HostItem {
  readonly type?: string;
  readonly [member: string]: unknown;
}

/** A request to a model, as far as it is used here. */
export interface HostRequest {
  readonly systemInstructions?: string;
  readonly input: string | readonly HostItem[];
  readonly modelSettings: { readonly [setting: string]: unknown };
  readonly tools: readonly HostToolDescription[];
  readonly handoffs: readonly HostHandoffDescription[];
  readonly tracing?: unknown;
  readonly signal?: AbortSignal;
  readonly [member: string]: unknown;
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

/** What a model gives at once, or at the end of a stream. */
export interface HostResponse {
  readonly output: readonly HostItem[];
  readonly usage: unknown;
  readonly [member: string]: unknown;
}

export interface HostStreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A model of OpenAI Agents. */
export interface HostModel {
  getResponse(request: HostRequest): Promise<HostResponse>;
  getStreamedResponse(request: HostRequest): AsyncIterable<HostStreamEvent>;
}

export interface HostModelProvider {
  getModel(name?: string): HostModel | Promise<HostModel>;
}

/** What a tool is given beside its input. */
export interface HostDetails {
  readonly toolCall?: HostItem;
  readonly signal?: AbortSignal;
}

/** A tool of OpenAI Agents; only those of type `function` run here. */
export interface HostTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly invoke: (context: unknown, input: string, details?: HostDetails) => unknown;
  readonly needsApproval?: (context: unknown, input: unknown, callId?: string) => unknown;
  /** Agents that have been made a tool take listeners. */
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

/** A question that a run waits for. */
export interface HostInterruption {
  readonly name?: string;
  /** The name of a tool with its namespace, as the host keeps approvals. */
  readonly functionToolStateKey?: string;
  readonly agent: HostAgent;
  readonly rawItem: HostItem;
}

/** A run of OpenAI Agents that can go on. */
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

/** A runner of OpenAI Agents, as far as it is used here. */
export interface HostRunner {
  readonly config: { readonly modelProvider: unknown; readonly model?: unknown; readonly modelSettings?: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: its types are of the package, which is not imported.
  run(agent: any, input: any, options?: any): Promise<any>;
}

/** A call of the host as hooks see it. Arguments that are no JSON object give an empty input, and say so. */
export function toToolCall(id: string, name: string, given: string): ToolCall {
  if (given.trim() === '') return { id, name, input: {} };
  let input: unknown;
  try {
    input = JSON.parse(given);
  } catch {
    input = undefined;
  }
  if (typeof input === 'object' && input !== null && !Array.isArray(input))
    return { id, name, input: input as JsonObject };
  return failedCall(id, name, given);
}
