import type { LanguageModel } from '../language-model.ts';

/** A message as users of the AI SDK write it, or as a language model receives it. */
export interface HostMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly HostPart[];
}

/** A part of a message. Its fields depend on `type`. */
export interface HostPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The options that the SDK passes to a tool. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  readonly messages?: readonly HostMessage[];
  readonly abortSignal?: AbortSignal;
  readonly context?: unknown;
}

/** The fields of an AI SDK tool that Hookline uses. */
export interface HostTool {
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly contextSchema?: unknown;
  readonly execute?: (input: unknown, options: ToolCallOptions) => unknown;
  readonly needsApproval?: boolean | ((input: unknown, options: ToolCallOptions) => unknown);
  readonly type?: string;
}

export type HostTools = Readonly<Record<string, HostTool>>;

/** The options of `generateText` and `streamText` that Hookline uses. */
export interface HostOptions {
  readonly model: LanguageModel & { doGenerate?: (options: never) => PromiseLike<GenerateResult> };
  readonly tools?: HostTools;
  readonly abortSignal?: AbortSignal;
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  readonly messages?: readonly HostMessage[];
  readonly toolApproval?: unknown;
  readonly prepareStep?: (options: never) => unknown;
  readonly maxRetries?: number;
  readonly [option: string]: unknown;
}

export type StopCondition = (state: { readonly steps: readonly unknown[] }) => boolean | PromiseLike<boolean>;

/** A complete reply of a language model. */
export interface GenerateResult {
  readonly content: readonly HostPart[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly [field: string]: unknown;
}

/** The exports of the module `ai` that Hookline uses. */
export interface HostAi {
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options.
  readonly generateText: (options: any) => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options.
  readonly streamText: (options: any) => any;
  readonly asSchema: (schema: never) => HostSchema;
  readonly jsonSchema: (schema: never) => unknown;
  readonly ToolLoopAgent?: HostAgentClass;
  readonly isStepCount?: unknown;
  readonly ToolChoiceViolationError?: new (options: never) => Error;
}

/** A schema that `asSchema` returns. */
export interface HostSchema {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => HostValidation | PromiseLike<HostValidation>;
}

export type HostValidation =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: unknown };

/** An agent of the AI SDK. */
export interface HostAgent {
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options.
  generate(options: any): PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options.
  stream(options: any): any;
}

/** Returns the major version of the SDK, detected from the module's exports. */
export function versionOf(ai: HostAi): 5 | 6 | 7 {
  if (ai.isStepCount) return 7;
  return ai.ToolLoopAgent ? 6 : 5;
}

// biome-ignore lint/suspicious/noExplicitAny: each version has its own settings.
export type HostAgentClass = new (settings: any) => HostAgent;
