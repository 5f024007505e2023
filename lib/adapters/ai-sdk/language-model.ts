/** The versions of the AI SDK's language model specification that `aiSdkModel` supports. */
export const specificationVersions = ['v2', 'v3', 'v4'] as const;

export type SpecificationVersion = (typeof specificationVersions)[number];

/** Provider-specific data by provider name. It is sent back to the same provider. */
export type ProviderData = { readonly [provider: string]: unknown };

/** A part of a language model's stream. Its fields depend on `type`. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string | undefined;
  readonly delta?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: ProviderData | undefined;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** A message of the prompt, in the format of the model's specification version. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly PromptPart[];
  readonly providerOptions?: ProviderData;
}

export interface PromptPart {
  readonly type: string;
  readonly providerOptions?: ProviderData;
  readonly [field: string]: unknown;
}

/** The options of a request to a language model. */
export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly object[];
  readonly toolChoice?: object;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly providerOptions?: ProviderData;
  readonly abortSignal?: AbortSignal;
}

/** The fields of a `ReadableStream` that Hookline uses. */
export interface PartStream {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: StreamPart | undefined }>;
    cancel(reason?: unknown): PromiseLike<void>;
  };
  cancel(reason?: unknown): PromiseLike<void>;
}

/** The fields of an AI SDK language model that Hookline uses. `specificationVersion` is 'v2', 'v3' or 'v4'. */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: each version has its own options, and `any` lets the models of all three in.
  doStream(options: any): PromiseLike<{ readonly stream: PartStream }>;
}
