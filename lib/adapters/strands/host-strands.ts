import type { HostClass } from './strands-module.ts';

// The types of Strands that Hookline uses, by their shape. The classes come from the module in the arguments.

/** A block of a message, by `type`. */
export interface HostBlock {
  readonly type: string;
  readonly text?: unknown;
  readonly json?: unknown;
  readonly name?: string;
  readonly toolUseId?: string;
  readonly input?: unknown;
  readonly status?: string;
  readonly content?: readonly HostBlock[];
  readonly format?: string;
  readonly source?: unknown;
  toJSON?(): object;
}

export interface HostMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly HostBlock[];
  readonly metadata?: object;
}

export interface HostToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
}

/** The options of a model request. */
export interface HostStreamOptions {
  readonly systemPrompt?: string | readonly HostBlock[];
  readonly toolSpecs?: readonly HostToolSpec[];
  readonly toolChoice?: object;
  readonly cancelSignal?: AbortSignal;
  readonly [option: string]: unknown;
}

/** An event of a model's stream. */
export interface HostModelEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface HostModel {
  stream(messages: readonly HostMessage[], options: HostStreamOptions): AsyncIterable<HostModelEvent>;
}

export interface HostModelResult {
  readonly message: HostMessage;
  readonly stopReason: string;
  readonly redaction?: object;
}

export interface HostToolUse {
  readonly name: string;
  readonly toolUseId: string;
  readonly input: unknown;
}

export interface HostToolResult extends HostBlock {
  readonly content: readonly HostBlock[];
  readonly error?: Error;
}

export interface HostToolContext {
  readonly cancelSignal: AbortSignal;
  readonly [field: string]: unknown;
}

export interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly toolSpec: HostToolSpec;
  stream(context: HostToolContext): AsyncGenerator<object, HostToolResult>;
}

export interface HostAgent {
  readonly messages: readonly HostMessage[];
  readonly cancelSignal: AbortSignal;
  readonly sessionId: string;
  readonly sessionManager?: object;
  readonly toolRegistry: { list(): readonly HostTool[] };
  addHook(event: object, callback: (event: never) => unknown, options?: { readonly order: number }): unknown;
  addMiddleware(stage: object, handler: object): unknown;
}

export interface HostModelContext {
  readonly model: HostModel;
}

export interface HostToolStage {
  readonly agent: HostAgent;
  readonly tool: HostTool | undefined;
  readonly toolUse: HostToolUse;
  readonly cancelSignal: AbortSignal;
  interrupt(question: { readonly name: string; readonly reason: object }): { readonly response: unknown };
}

/** Creates an instance of a class from the arguments. */
export function make<T>(Class: HostClass, ...args: readonly unknown[]): T {
  return new (Class as unknown as new (...args: readonly unknown[]) => T)(...args);
}
