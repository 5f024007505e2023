import type { LanguageModel } from '../language-model.ts';

/** A message as users of the AI SDK write it, or as it reaches a language model. */
export interface HostMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly HostPart[];
}

/** A piece of a message; which members are there depends on `type`. */
export interface HostPart {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What the SDK gives a tool beside its input. */
export interface ToolCallOptions {
  readonly toolCallId: string;
  readonly messages?: readonly HostMessage[];
  readonly abortSignal?: AbortSignal;
  readonly context?: unknown;
}

/** A tool of the AI SDK, as far as it is used here. */
export interface HostTool {
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly contextSchema?: unknown;
  readonly execute?: (input: unknown, options: ToolCallOptions) => unknown;
  readonly needsApproval?: boolean | ((input: unknown, options: ToolCallOptions) => unknown);
  readonly type?: string;
}

export type HostTools = Readonly<Record<string, HostTool>>;

/** Options of `generateText` and `streamText`, as far as they are used here. */
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

/** What a language model gives at once. */
export interface GenerateResult {
  readonly content: readonly HostPart[];
  readonly finishReason: unknown;
  readonly usage: unknown;
  readonly [member: string]: unknown;
}

/** The module `ai`, as far as it is used here. */
export interface HostAi {
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options.
  readonly generateText: (options: any) => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options.
  readonly streamText: (options: any) => any;
  readonly asSchema: (schema: never) => HostSchema;
  readonly jsonSchema: (schema: never) => unknown;
  readonly ToolLoopAgent?: HostAgentClass;
  readonly isStepCount?: unknown;
  readonly ToolChoiceViolationError?: new (told: never) => Error;
}

/** A schema as `asSchema` gives it. */
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

/** The major version of the SDK, told by what the module has. */
export function versionOf(ai: HostAi): 5 | 6 | 7 {
  if (ai.isStepCount) return 7;
  return ai.ToolLoopAgent ? 6 : 5;
}

// biome-ignore lint/suspicious/noExplicitAny: each version has its own settings.
export type HostAgentClass = new (settings: any) => HostAgent;
